/* Thermal friction: |f| = mu(T) f_N, T the temperature of the film between two bodies.
 *
 * In steady sliding heating and cooling balance. Per newton of normal force a contact that slides at v makes
 * mu v of heat, and loses (g0 + g1 sqrt v) T: g0 through what it rests on, g1 sqrt v by what is carried away
 * (Jaeger 1942, fast moving sources). The curve mu_ss(v) of rosin was measured (Smith and Woodhouse 2000), so
 *
 *   T_ss(v) = mu_ss(v) v / (g0 + g1 sqrt v),   mu(T) = mu_ss at the v where T_ss = T.
 *
 * How soon T follows is a matter of heat flow. Rubbing heats the middle of a film of rosin, thickness d; its
 * faces give the heat to a patch of radius a on the string. At rest, for a power q per area:
 *
 *   film:   steady, T falls in a straight line to both faces: T_f = q d/(4 K_f); what it stores over what it
 *           conducts is d^2/(8 k_f).
 *   string: the middle of a disc on a half-space (Carslaw and Jaeger 1959, 10.5), X = k_s t/a^2,
 *           T_s(t) = (q a/K_s) F(X),  F = 2 sqrt X [1/sqrt pi - ierfc(1/(2 sqrt X))]: as the root of time at
 *           first, up to q a/K_s in the end.
 *
 * F is a sum of four exponentials, fitted by least squares within 6 % from X = 3e-4 to 30. So the contact has
 * five stores with shares p_i of the temperature and times t_i at rest, and each obeys
 *
 *   t_i T_i' = p_i (mu v)/g0 - (1 + (g1/g0) sqrt v) T_i,   T = sum T_i.
 *
 * Steady sliding is as above whatever the shares. Only their times and g1/g0 are felt: a common factor of g0
 * and g1 is the unit of T. Nothing of it touches the energy account: friction is passive for any mu. */
#include "base/clamp.h"
#include "contact/friction.h"

#include <math.h>

static const double rosin_w_m_k = 0.2, rosin_m2_s = 1e-7;  /* as organic glasses are */
static const double string_w_m_k = 15, string_m2_s = 4e-6; /* chromium steel, of which windings are made */

static const double still_w_k = 1e-3, sliding_w_k = 1.5e-3; /* g0, g1 per newton */

enum { STRING_STORES = CT_HEAT_STORES - 1 };

static const double string_x[STRING_STORES] = {2.51e-4, 7.36e-3, 0.2154, 6.31};
static const double string_share[STRING_STORES] = {0.0211, 0.0940, 0.5832, 0.3017};

static const double hottest_k = 1e9; /* mu is the same long before, and it cools down from there */
static const double coldest_k = 1e-30;

static double conduction(double v) { return still_w_k + sliding_w_k * sqrt(fabs(v)); }

void ct_thermal_warm(ct_friction *f, double lost_j, double v, double h) {
  double heat_k = f->normal_n > 0 ? fmax(lost_j, 0) / (f->normal_n * still_w_k) : 0;
  double cooling = h * conduction(v) / still_w_k, sum = 0;
  for (uint32_t i = 0; i < CT_HEAT_STORES; i++) {
    ct_heat_store *store = &f->stores[i];
    double t = store->cools_s;
    double warmed = (t * store->warm_k + store->share * heat_k) / (t + cooling);
    store->warm_k = warmed > coldest_k ? ct_least(warmed, hottest_k) : 0;
    sum += store->warm_k;
  }
  f->temperature_k = sum;
  f->thermal_mu = ct_thermal_mu(sum);
}

double ct_thermal_rise(const ct_friction *f, double time_s) {
  double rise = 0;
  for (uint32_t i = 0; i < CT_HEAT_STORES; i++)
    rise -= f->stores[i].share * expm1(-time_s / f->stores[i].cools_s);
  return rise;
}

/* ---- mu over temperature ---- */

/* The curve as above, mu_ss(v) = 0.4 exp(-v / 0.01) + 0.45 exp(-v / 0.1) + 0.35, at v = 0 and at 95 speeds
 * from 1e-5 to 10 m/s, evenly on a logarithmic scale: the same for every contact, whatever its film and patch
 * (test_thermal.c compares). */
enum { KNOTS = 96 };
/* clang-format off */
static const double knot_k[KNOTS] = {
    0, 0.011938920748279545, 0.013823342102622727, 0.016004612150816052, 0.018529334926758113,
    0.021451387563654962, 0.024833043026377066, 0.028746262574205886, 0.033274182538742647, 0.038512823228983431,
    0.044573051317449111, 0.051582830909301942, 0.059689802623562133, 0.069064234368452423, 0.079902391981395635,
    0.092430382387773916, 0.10690852620281888, 0.12363632045910475, 0.14295805497045361, 0.16526914717003033,
    0.19102325931767961, 0.22074025774347453, 0.25501506496048232, 0.29452744035251699, 0.34005270160737849,
    0.39247336453233933, 0.45279163027293873, 0.52214258272620462, 0.60180787126759838, 0.69322954100922529,
    0.79802353154702377, 0.91799219411931421, 1.0551349782533104, 1.2116562201940384, 1.3899687441097563,
    1.5926917951690887, 1.8226417138325191, 2.0828138139897932, 2.3763542600932483, 2.7065215059921055,
    3.0766382527296852, 3.4900371126629492, 3.9500064097529903, 4.4597468524675259, 5.0223549569408057,
    5.6408543349280205, 6.3182997616053722, 7.0579787122054789, 7.8637270833457293, 8.7403556759948771,
    9.6941479683162228, 10.733337407914807, 11.868411055694239, 13.112034906464025, 14.478387043815072,
    15.981757817767393, 17.634460140791465, 19.444374879411054, 21.412753538169131, 23.533064583070733,
    25.791552806100636, 28.169754726423221, 30.6486570082455, 33.21382018064088, 35.860827836635963,
    38.600724204810788, 41.465251435371357, 44.511389090063616, 47.824074597034027, 51.515530307255432,
    55.719797664213253, 60.582079942782123, 66.244218187556612, 72.829596408623928, 80.432092480506668,
    89.113296422652894, 98.90958608711604, 109.8465859251348, 121.95521575640352, 135.28323685773802,
    149.899319270029, 165.89096379157533, 183.36004363889705, 202.41915120823361, 223.18984224172544,
    245.80234013674104, 270.3959500418232, 297.11973546128439, 326.13330137778172, 357.60765139827458,
    391.7261173814274, 428.68536499342179, 468.69647940589209, 511.98613576322032, 558.79785950308963,
    609.39338213413907,
};
static const double knot_mu[KNOTS] = {
    1.2000000000000002, 1.1995552021832752, 1.1994848173953421, 1.1994033017161629, 1.1993088971893275,
    1.1991995690084485, 1.1990729621885974, 1.1989263515492472, 1.1987565840080805, 1.1985600120463249,
    1.1983324170523431, 1.1980689210807354, 1.1977638853797985, 1.1974107938423417, 1.1970021193266951,
    1.1965291705814991, 1.1959819172978485, 1.195348790618016, 1.1946164562695052, 1.1937695573923612,
    1.1927904241226051, 1.1916587471347957, 1.1903512126991744, 1.1888410974631212, 1.1870978222409476,
    1.1850864657439804, 1.182767241601324, 1.1800949454584364, 1.1770183837011599, 1.1734798018036892,
    1.1694143388644829, 1.1647495460408162, 1.1594050207925082, 1.153292226505698, 1.1463145884101755,
    1.1383679815699024, 1.1293417542797393, 1.1191204584990815, 1.1075864843601493, 1.0946238122346985,
    1.080123093971471, 1.0639882412798798, 1.0461446158609569, 1.0265487608108312, 1.0051993625409186,
    0.98214876763213854, 0.95751389500663553, 0.93148480712398218, 0.90432861458475877, 0.87638594371109502,
    0.84805714510893904, 0.81977608823381831, 0.79197110181052299, 0.76501555882390304, 0.73917455044517455,
    0.71455817922699716, 0.69109461454136523, 0.66853515081711024, 0.64649755726815705, 0.62454337187517261,
    0.60227278387140093, 0.57941303697832214, 0.55587791768459294, 0.53178719469925639, 0.50744974283272781,
    0.48332360142018704, 0.45996571763483085, 0.43797703593166482, 0.41794269540880957, 0.40036725646370841,
    0.38561005803811715, 0.37383183278062487, 0.36496677433973845, 0.35873198631583042, 0.35467786659593414,
    0.35227021340027631, 0.35098259603171761, 0.3503724795787137, 0.35012109680259196, 0.35003295383055183,
    0.35000729777672707, 0.3500012729711382, 0.35000016841415571, 0.35000001617562704, 0.35000000107212875,
    0.35000000004624132, 0.35000000000121245, 0.35000000000001785, 0.35000000000000009, 0.34999999999999998,
    0.34999999999999998, 0.34999999999999998, 0.34999999999999998, 0.34999999999999998, 0.34999999999999998,
    0.34999999999999998,
};
/* clang-format on */

double ct_thermal_mu(double temperature_k) {
  uint32_t low = 0, high = KNOTS - 1;
  if (temperature_k <= knot_k[low])
    return knot_mu[low];
  if (temperature_k >= knot_k[high])
    return knot_mu[high];
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (knot_k[middle] <= temperature_k)
      low = middle;
    else
      high = middle;
  }
  double t = (temperature_k - knot_k[low]) / (knot_k[high] - knot_k[low]);
  return knot_mu[low] + t * (knot_mu[high] - knot_mu[low]);
}

void ct_thermal_fill(ct_friction *f) {
  double film_m = f->values.film_m, patch_m = f->values.patch_m;
  double film = film_m / (4 * rosin_w_m_k), string = patch_m / string_w_m_k; /* K m^2/W */
  double film_share = film / (film + string);
  f->stores[0] = (ct_heat_store){0, film_m * film_m / (8 * rosin_m2_s), film_share};
  for (uint32_t i = 0; i < STRING_STORES; i++)
    f->stores[i + 1] =
        (ct_heat_store){0, string_x[i] * patch_m * patch_m / string_m2_s, (1 - film_share) * string_share[i]};
  f->thermal_mu = ct_cold_mu;
}
