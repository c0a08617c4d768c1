#!/usr/bin/env python3
"""Makes the bodies of scenes/*.obj that are no primitives: an animal, a bear and a ring.

    tools/make_meshes.py scenes

A body is a blend of capsules; its surface is found on a grid by surface nets (one vertex in each cell that
the surface crosses) and drawn onto the blend by Newton's method. The files in the repository are what this writes.
"""
import math
import pathlib
import sys


def capsule(a, b, ra, rb):
    return (a, b, ra, rb)


def distance(p, part):
    a, b, ra, rb = part
    ab = [b[k] - a[k] for k in range(3)]
    ap = [p[k] - a[k] for k in range(3)]
    size = sum(x * x for x in ab)
    t = min(1, max(0, sum(ap[k] * ab[k] for k in range(3)) / size)) if size else 0
    return math.dist(ap, [t * x for x in ab]) - (ra + (rb - ra) * t)


def blend(p, parts, width):
    """A smooth least of the distances to the parts."""
    values = [distance(p, part) for part in parts]
    low = min(values)
    return low - width * math.log(sum(math.exp((low - v) / width) for v in values))


def surface_net(value, low, high, cell):
    count = [int(math.ceil((high[k] - low[k]) / cell)) for k in range(3)]
    at = lambda i: [low[k] + cell * i[k] for k in range(3)]
    grid = {}
    for i in range(count[0] + 1):
        for j in range(count[1] + 1):
            for k in range(count[2] + 1):
                grid[i, j, k] = value(at((i, j, k)))
    vertices, number, triangles = [], {}, []
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    for c in sorted(grid):
        if any(c[k] == count[k] for k in range(3)):
            continue
        crossings = []
        for x in corners:
            for axis in range(3):
                if x[axis]:
                    continue
                a = tuple(c[k] + x[k] for k in range(3))
                b = tuple(a[k] + (k == axis) for k in range(3))
                u, v = grid[a], grid[b]
                if (u < 0) == (v < 0):
                    continue
                s = u / (u - v)
                crossings.append([p + s * (q - p) for p, q in zip(at(a), at(b))])
        if crossings:
            number[c] = len(vertices)
            vertices.append([sum(x) / len(crossings) for x in zip(*crossings)])
    for a in sorted(grid):
        for axis in range(3):
            b = tuple(a[k] + (k == axis) for k in range(3))
            if b not in grid or (grid[a] < 0) == (grid[b] < 0):
                continue
            u, v = (axis + 1) % 3, (axis + 2) % 3
            quad = []
            for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                cell_of = list(a)
                cell_of[u] -= du
                cell_of[v] -= dv
                quad.append(number[tuple(cell_of)])
            if grid[a] >= 0:
                quad.reverse()
            triangles += split(quad, vertices)
    return vertices, triangles


def split(quad, vertices):
    """Along the shorter diagonal."""
    a, b, c, d = quad
    if math.dist(vertices[a], vertices[c]) <= math.dist(vertices[b], vertices[d]):
        return [(a, b, c), (a, c, d)]
    return [(a, b, d), (b, c, d)]


def draw_on(value, vertices, times=3, step=1e-5):
    for p in vertices:
        for _ in range(times):
            f = value(p)
            g = []
            for k in range(3):
                q = list(p)
                q[k] += step
                g.append((value(q) - f) / step)
            size = sum(x * x for x in g)
            for k in range(3):
                p[k] -= 0.8 * f * g[k] / size


def write(path, remark, vertices, triangles):
    lines = ["# " + remark + "; made by tools/make_meshes.py"]
    lines += ["v {:.5f} {:.5f} {:.5f}".format(*p) for p in vertices]
    lines += ["f {} {} {}".format(*(v + 1 for v in t)) for t in triangles]
    path.write_text("\n".join(lines) + "\n")


def body(path, remark, parts, width, cell):
    value = lambda p: blend(p, parts, width)
    low = [min(min(a[k], b[k]) - max(ra, rb) for a, b, ra, rb in parts) - 2 * cell for k in range(3)]
    high = [max(max(a[k], b[k]) + max(ra, rb) for a, b, ra, rb in parts) + 2 * cell for k in range(3)]
    vertices, triangles = surface_net(value, low, high, cell)
    draw_on(value, vertices)
    floor = min(p[1] for p in vertices)
    for p in vertices:
        p[1] -= floor
    write(path, remark, vertices, triangles)


def both(a, b, ra, rb):
    """On the left and on the right."""
    mirror = lambda p: (p[0], p[1], -p[2])
    return [capsule(a, b, ra, rb), capsule(mirror(a), mirror(b), ra, rb)]


def animal():
    parts = [capsule((-0.10, 0.17, 0), (0.09, 0.18, 0), 0.060, 0.066)]
    parts += [capsule((0.10, 0.20, 0), (0.155, 0.265, 0), 0.042, 0.038)]
    parts += [capsule((0.155, 0.275, 0), (0.225, 0.262, 0), 0.046, 0.028)]
    parts += both((0.145, 0.305, 0.035), (0.135, 0.335, 0.045), 0.020, 0.016)
    parts += both((0.09, 0.15, 0.045), (0.10, 0.025, 0.055), 0.034, 0.027)
    parts += both((-0.10, 0.15, 0.045), (-0.11, 0.025, 0.055), 0.036, 0.027)
    parts += [capsule((-0.15, 0.20, 0), (-0.22, 0.265, 0), 0.024, 0.017)]
    return parts


def bear():
    parts = [capsule((0, 0.10, 0), (0, 0.16, 0), 0.085, 0.070)]
    parts += [capsule((0, 0.265, 0), (0.015, 0.265, 0), 0.062, 0.058)]
    parts += [capsule((0.06, 0.255, 0), (0.075, 0.25, 0), 0.028, 0.024)]
    parts += both((0, 0.315, 0.045), (-0.003, 0.328, 0.052), 0.024, 0.022)
    parts += both((0.01, 0.19, 0.07), (0.05, 0.155, 0.145), 0.032, 0.034)
    parts += both((0.02, 0.055, 0.05), (0.105, 0.04, 0.085), 0.042, 0.040)
    return parts


def ring(path, radius, thickness, around, across):
    vertices, triangles = [], []
    for i in range(around):
        u = 2 * math.pi * i / around
        for j in range(across):
            v = 2 * math.pi * j / across
            r = radius + thickness * math.cos(v)
            vertices.append([r * math.cos(u), thickness * math.sin(v), r * math.sin(u)])
    at = lambda i, j: i % around * across + j % across
    for i in range(around):
        for j in range(across):
            a, b, c, d = at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)
            triangles += [(a, b, c), (a, c, d)]
    write(path, "A ring around the y axis", vertices, triangles)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "scenes")
    body(folder / "animal.obj", "An animal on four legs", animal(), 0.010, 0.0172)
    body(folder / "bear.obj", "A bear that sits", bear(), 0.010, 0.0165)
    ring(folder / "ring.obj", 0.1, 0.03, 32, 14)


if __name__ == "__main__":
    main()
