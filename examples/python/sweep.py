"""Struck bars, softer and harder: how bright each sounds. On this machine, or on a Dask cluster whose scheduler's address
is given:

    sweep.py [tcp://HOST:8786]"""

import sys

import contatto

plan = {
    "contatto_sweep": 1,
    "title": "Struck bars",
    "scene": "hammer",
    "seconds": 0.5,
    "write": "measures",
    "gesture": {"time_s": [0.01], "strike_speed": [1.5]},
    "vary": {"hardness": [0.1, 0.5, 0.9], "position": [0.1, 0.5]},
}


def client_at(address):
    from distributed import Client

    return Client(address)


def main():
    client = client_at(sys.argv[1]) if len(sys.argv) > 1 else None
    table = contatto.sweep(plan, client).table
    for hardness, position, hz in zip(table["set.hardness"], table["set.position"], table["centroid_hz"]):
        print(f"hardness {hardness:.1f} at {position:.1f}: centroid {hz:.0f} Hz")


if __name__ == "__main__":
    main()
