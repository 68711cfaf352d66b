// The same bar as in plain.c, from C++17: what is made is destroyed by itself, what fails is thrown.
#include <contatto/contatto.h>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace contatto {
struct destroy {
  void operator()(ct_doc *doc) const { ct_doc_destroy(doc); }
  void operator()(ct_scene *scene) const { ct_scene_destroy(scene); }
};
using document = std::unique_ptr<ct_doc, destroy>;
using scene = std::unique_ptr<ct_scene, destroy>;

scene build(std::string_view text, double rate_hz) {
  ct_error error{};
  ct_scene *made = nullptr;
  document doc(ct_doc_create());
  ct_build_def def = ct_default_build_def();
  def.rate_hz = rate_hz;
  if (ct_doc_read_json(doc.get(), "scene", text.data(), text.size(), nullptr, nullptr, &error) != CT_OK ||
      ct_doc_build(doc.get(), &def, &made, nullptr, nullptr, &error) != CT_OK)
    throw std::runtime_error(error.text);
  return scene(made);
}
} // namespace contatto

static constexpr std::string_view text = R"({
  "contatto": 1,
  "bodies": {
    "bar": {"modes": {"shape": "bar", "material": "steel"}, "points": {"hit": {"place_u": 0.3}}},
    "hammer": {"modes": [{"hz": 0, "mass_kg": 0.05, "v_m_s": 1}], "points": {"tip": {"gains": [1]}}}
  },
  "contacts": {"strike": {"a": "hammer.tip", "b": "bar.hit"}},
  "pickups": {"out": {"at": "bar.hit", "full_scale": 1}}
})";

int main() try {
  auto scene = contatto::build(text, 48000);
  for (int block = 0; block < 750; block++) {
    float sound[64], *outputs[] = {sound};
    ct_io io{};
    io.frames = 64;
    io.outputs = outputs;
    ct_scene_process(scene.get(), &io);
    std::fwrite(sound, sizeof *sound, 64, stdout);
  }
} catch (const std::exception &problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 1;
}
