"""Golden values for strategies, from the textbook definitions alone.

Writes, beside itself, `bars-mnq-5m.csv` (made-up bars) and `reference.json` (what indicators and
strategies must answer on them). Shares nothing with the gateway's code. Run it with Python 3.11 or
later, no packages; it always writes the same bytes:

    python3 test/golden/strategies/reference.py

All arithmetic is exact (fractions; the square root in bollinger has 50 digits): a number becomes a
float only when it is written. Before writing, results are compared with second formulas (`verify`).

An evaluation at bar i (the first is 0) sees the last min(i + 1, 120) bars and nothing before them.
In the file `[0]` is the value at bar i, `[1]` the one a bar before, in the same window. Shapes:

- `indicators.<name>.at.<i>`: the values at [0] and at [1], each rounded once to a double.
- `strategies.<name>.decisions`: `[i, decision, values at [0]]`, values to 10 significant digits.
  The position begins flat; each decision is carried out, with quantity 1, before the next bar.
"""

import json
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
BARS = 400
WINDOW = 120
FIRST = 60
SHOWN_BARS = [60, 119, 120, 200, 333, 399]


class Bar(NamedTuple):
    high: Fraction
    low: Fraction
    close: Fraction


# --- The bars -------------------------------------------------------------------------------------

SEED = 20261169
ANCHOR = 25200 * 4
STEPS_PER_BAR = 12

# bars, drift in ticks per step, divisor of the pull towards the price the stretch began at
# (0: none), largest size of a step in ticks
STRETCHES = [
    (40, 0, 14, 22),
    (35, 2, 0, 20),
    (45, 0, 10, 20),
    (40, -2, 0, 24),
    (50, 0, 8, 26),
    (30, 3, 0, 22),
    (35, -3, 0, 24),
    (60, 0, 9, 24),
    (35, 2, 0, 18),
    (30, 0, 12, 20),
]


def random_numbers(seed):
    """Knuth's MMIX generator: `draw(low, high)` is a whole number, both ends included."""
    state = seed

    def draw(low, high):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return low + (state >> 33) % (high - low + 1)

    return draw


def price_text(ticks):
    return str(ticks // 4) + ["", ".25", ".5", ".75"][ticks % 4]


def time_text(index):
    minutes = 14 * 60 + 30 + 5 * index
    day, minute = 16 + minutes // 1440, minutes % 1440
    return f"2026-11-{day:02d}T{minute // 60:02d}:{minute % 60:02d}:00Z"


def made_up_bars():
    draw = random_numbers(SEED)
    lines = ["time,open,high,low,close,volume"]
    price = ANCHOR
    for length, drift, pull, size in STRETCHES:
        centre = price
        for _ in range(length):
            if draw(1, 12) == 1:
                price += draw(-80, 80)
            path = [price]
            for _ in range(STEPS_PER_BAR):
                back = (centre - price) // (pull * STEPS_PER_BAR) if pull else 0
                price += drift + back + draw(-size, size)
                path.append(price)
            high, low = max(path), min(path)
            volume = 400 + 9 * (high - low) + draw(0, 900)
            prices = ",".join(price_text(p) for p in (path[0], high, low, price))
            lines.append(f"{time_text(len(lines) - 1)},{prices},{volume}")
    assert len(lines) == BARS + 1
    return "\n".join(lines) + "\n"


def read_bars(text):
    rows = [line.split(",") for line in text.splitlines()[1:]]
    for previous, row in zip(rows, rows[1:]):
        assert previous[0] < row[0]
    for row in rows:
        opened, high, low, close = (Fraction(cell) for cell in row[1:5])
        assert low <= min(opened, close) and high >= max(opened, close)
    return [Bar(*(Fraction(cell) for cell in row[2:5])) for row in rows]


# --- Indicators: lists as long as the window, oldest first, None where there is no value yet ------


def mean(values):
    return sum(values) / Fraction(len(values))


def closes(bars):
    return [bar.close for bar in bars]


def last_n(values, n, of):
    """`of` the last n values, at each place where there are n of them and none is None."""
    return [
        of(values[t - n + 1 : t + 1]) if t + 1 >= n and values[t - n + 1] is not None else None
        for t in range(len(values))
    ]


def average_from_first(values, n):
    """The exponential average with alpha = 2 / (n + 1) that begins as the first value."""
    alpha = Fraction(2, n + 1)
    averages = [values[0]]
    for value in values[1:]:
        averages.append(alpha * value + (1 - alpha) * averages[-1])
    return averages


def counted_from(values, n):
    """Nothing before the n-th value."""
    return [None] * (n - 1) + values[n - 1 :]


def wilder(values, n):
    """Wilder's average: first the mean of n values, then (previous * (n - 1) + x) / n."""
    averages = [None] * (n - 1) + [mean(values[:n])]
    for value in values[n:]:
        averages.append((averages[-1] * (n - 1) + value) / n)
    return averages


def sma(bars, n):
    return last_n(closes(bars), n, mean)


def wma(bars, n):
    """The newest close weighs n, the oldest 1."""
    weights = range(1, n + 1)
    return last_n(
        closes(bars), n, lambda last: sum(w * c for w, c in zip(weights, last)) / sum(weights)
    )


def ema(bars, n):
    return counted_from(average_from_first(closes(bars), n), n)


def rma(bars, n):
    return wilder(closes(bars), n)


def rsi(bars, n):
    """100 where nothing was lost; 50 where nothing was gained either (not in this file)."""
    changes = [b.close - a.close for a, b in zip(bars, bars[1:])]
    gains = wilder([max(change, Fraction(0)) for change in changes], n)
    losses = wilder([max(-change, Fraction(0)) for change in changes], n)

    def strength(gain, loss):
        if gain is None:
            return None
        if loss == 0:
            return Fraction(50 if gain == 0 else 100)
        return 100 - 100 / (1 + gain / loss)

    return [None] + [strength(gain, loss) for gain, loss in zip(gains, losses)]


def roc(bars, n):
    """A fraction: 0.01 is one percent."""
    return last_n(closes(bars), n + 1, lambda last: (last[-1] - last[0]) / last[0])


def macd(bars, fast, slow, signal):
    """The signal's average begins at the window's first bar, where macd is 0 (`fromFirst`), or at
    bar `slow` of it (`fromSlow`). Counted from where both have `signal` values."""
    prices = closes(bars)
    line = [
        a - b for a, b in zip(average_from_first(prices, fast), average_from_first(prices, slow))
    ]
    from_first = average_from_first(line, signal)
    from_slow = [None] * (slow - 1) + average_from_first(line[slow - 1 :], signal)
    values = [
        {
            "macd": value,
            "fromFirst": {"signal": first, "histogram": value - first},
            "fromSlow": {"signal": late, "histogram": value - late},
        }
        if late is not None
        else None
        for value, first, late in zip(line, from_first, from_slow)
    ]
    return counted_from(values, slow + signal - 1)


def square_root(value):
    with localcontext() as context:
        context.prec = 50
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).sqrt())


def bollinger(bars, n, k):
    """The population's standard deviation: divided by n."""

    def bands(last):
        middle = mean(last)
        deviation = square_root(mean([(close - middle) ** 2 for close in last]))
        return {"upper": middle + k * deviation, "middle": middle, "lower": middle - k * deviation}

    return last_n(closes(bars), n, bands)


def later_true_ranges(bars):
    """From the second bar on."""
    return [
        max(b.high - b.low, abs(b.high - a.close), abs(b.low - a.close))
        for a, b in zip(bars, bars[1:])
    ]


def atr(bars, n):
    """The first bar's true range is its high - low."""
    return wilder([bars[0].high - bars[0].low] + later_true_ranges(bars), n)


def directional_moves(bars):
    """Per pair of bars: (+DM, -DM). Only the larger move counts, neither if they are equal."""
    moves = []
    for a, b in zip(bars, bars[1:]):
        up, down = b.high - a.high, a.low - b.low
        moves.append((up if up > down and up > 0 else 0, down if down > up and down > 0 else 0))
    return moves


def wilder_sums(values, n):
    """As Wilder sums directional moves: the first n, then previous - previous / n + x."""
    sums = [None] * (n - 1) + [Fraction(sum(values[:n]))]
    for value in values[n:]:
        sums.append(sums[-1] - sums[-1] / n + value)
    return sums


def adx(bars, n):
    """+DM, -DM and true range begin with the second bar; DX from bar n + 1, ADX from bar 2n."""
    moves = directional_moves(bars)
    plus_sums = wilder_sums([plus for plus, _ in moves], n)[n - 1 :]
    minus_sums = wilder_sums([minus for _, minus in moves], n)[n - 1 :]
    range_sums = wilder_sums(later_true_ranges(bars), n)[n - 1 :]
    plus_di = [100 * plus / total for plus, total in zip(plus_sums, range_sums)]
    minus_di = [100 * minus / total for minus, total in zip(minus_sums, range_sums)]
    dx = [100 * abs(p - m) / (p + m) for p, m in zip(plus_di, minus_di)]
    values = [
        {"adx": value, "plusDi": plus, "minusDi": minus} if value is not None else None
        for value, plus, minus in zip(wilder(dx, n), plus_di, minus_di)
    ]
    return [None] * n + values


def cci(bars, n):
    def index(last):
        middle = mean(last)
        deviation = mean([abs(price - middle) for price in last])
        return (last[-1] - middle) / (Fraction(15, 1000) * deviation)

    return last_n([(bar.high + bar.low + bar.close) / 3 for bar in bars], n, index)


def stochastic(bars, k, slow, d):
    def raw(last):
        lowest, highest = min(bar.low for bar in last), max(bar.high for bar in last)
        return 100 * (last[-1].close - lowest) / (highest - lowest)

    slow_k = last_n(last_n(bars, k, raw), slow, mean)
    slow_d = last_n(slow_k, d, mean)
    return [{"k": a, "d": b} if b is not None else None for a, b in zip(slow_k, slow_d)]


def donchian(bars, n):
    def channel(last):
        upper, lower = max(bar.high for bar in last), min(bar.low for bar in last)
        return {"upper": upper, "middle": (upper + lower) / 2, "lower": lower}

    return last_n(bars, n, channel)


INDICATORS = {
    "sma": (sma, {"n": 20}),
    "ema": (ema, {"n": 21}),
    "wma": (wma, {"n": 10}),
    "rma": (rma, {"n": 14}),
    "rsi": (rsi, {"n": 14}),
    "roc": (roc, {"n": 10}),
    "macd": (macd, {"fast": 12, "slow": 26, "signal": 9}),
    "bollinger": (bollinger, {"n": 20, "k": 2}),
    "atr": (atr, {"n": 14}),
    "adx": (adx, {"n": 14}),
    "cci": (cci, {"n": 20}),
    "stochastic": (stochastic, {"k": 14, "slow": 3, "d": 3}),
    "donchian": (donchian, {"n": 20}),
}


# --- Second formulas ------------------------------------------------------------------------------


def wilder_at_once(values, n):
    """Wilder's average at the last value, as one weighted sum."""
    keep = Fraction(n - 1, n)
    newer = values[n:]
    weighted = sum(value * keep**age for age, value in enumerate(reversed(newer)))
    return mean(values[:n]) * keep ** len(newer) + Fraction(weighted) / n


def verify_window(bars):
    prices = closes(bars)
    pairs = list(zip(bars, bars[1:]))

    keep = Fraction(20, 22)
    weighted = sum(price * keep**age for age, price in enumerate(reversed(prices[1:])))
    assert ema(bars, 21)[-1] == prices[0] * keep ** (len(prices) - 1) + weighted * Fraction(2, 22)

    assert wma(bars, 10)[-1] == sum(sum(prices[-n:]) for n in range(1, 11)) / 55
    assert rma(bars, 14)[-1] == wilder_at_once(prices, 14)

    moved = wilder_at_once([abs(b.close - a.close) for a, b in pairs], 14)
    net = wilder_at_once([b.close - a.close for a, b in pairs], 14)
    assert moved > 0
    assert rsi(bars, 14)[-1] == 50 * (1 + net / moved)

    last = prices[-20:]
    variance = mean([price * price for price in last]) - mean(last) ** 2
    bands = bollinger(bars, 20, 2)[-1]
    width = (bands["upper"] - bands["lower"]) / 4
    assert abs(width * width - variance) < Fraction(1, 10**40)
    assert bands["upper"] + bands["lower"] == 2 * mean(last)

    reach = [max(b.high, a.close) - min(b.low, a.close) for a, b in pairs]
    assert atr(bars, 14)[-1] == wilder_at_once([bars[0].high - bars[0].low] + reach, 14)


def verify_adx(bars):
    """DX without the true range, which cancels out; every average as one weighted sum."""
    n, plus, minus, reach, dx = 14, [], [], [], []
    for a, b in zip(bars, bars[1:]):
        up, down = max(b.high - a.high, 0), max(a.low - b.low, 0)
        plus.append(up * (up > down))
        minus.append(down * (down > up))
        reach.append(max(b.high, a.close) - min(b.low, a.close))
        if len(reach) >= n:
            p, m = wilder_at_once(plus, n), wilder_at_once(minus, n)
            dx.append(100 * (max(p, m) - min(p, m)) / (p + m))
    total = wilder_at_once(reach, n)
    expected = {"adx": wilder_at_once(dx, n), "plusDi": 100 * p / total, "minusDi": 100 * m / total}
    assert adx(bars, n)[-1] == expected


def verify(bars):
    for i in range(FIRST, BARS):
        verify_window(window_at(bars, i))
    for i in SHOWN_BARS:
        verify_adx(window_at(bars, i))


# --- Strategies -----------------------------------------------------------------------------------


def above(a, b):
    """a > b. The two are either equal prices of bars or far enough apart for any rounding."""
    on_ticks = all(Fraction(value * 4).denominator == 1 for value in (a, b))
    assert on_ticks or abs(a - b) > abs(b) / 10**9
    return a > b


def ema_cross(_close, fast, slow):
    return {
        "enterLong": above(fast[0], slow[0]) and not above(fast[1], slow[1]),
        "enterShort": above(slow[0], fast[0]) and not above(slow[1], fast[1]),
    }


def rsi_bands(close, rsi, bands):
    return {
        "enterLong": above(bands[0]["lower"], close[0]) and above(35, rsi[0]),
        "exitLong": above(close[0], bands[0]["middle"]),
        "enterShort": above(close[0], bands[0]["upper"]) and above(rsi[0], 65),
        "exitShort": above(bands[0]["middle"], close[0]),
    }


def donchian_breakout(close, wide, narrow):
    return {
        "enterLong": above(close[0], wide[1]["upper"]),
        "exitLong": above(narrow[1]["lower"], close[0]),
        "enterShort": above(wide[1]["lower"], close[0]),
        "exitShort": above(close[0], narrow[1]["upper"]),
    }


STRATEGIES = {
    "ema-cross": {
        "indicators": {"fast": ("ema", {"n": 9}), "slow": ("ema", {"n": 21})},
        "conditions": {
            "enterLong": "fast[0] > slow[0] && fast[1] <= slow[1]",
            "enterShort": "fast[0] < slow[0] && fast[1] >= slow[1]",
        },
        "evaluate": ema_cross,
    },
    "rsi-bands": {
        "indicators": {"rsi": ("rsi", {"n": 14}), "bands": ("bollinger", {"n": 20, "k": 2})},
        "conditions": {
            "enterLong": "close[0] < bands.lower[0] && rsi[0] < 35",
            "exitLong": "close[0] > bands.middle[0]",
            "enterShort": "close[0] > bands.upper[0] && rsi[0] > 65",
            "exitShort": "close[0] < bands.middle[0]",
        },
        "evaluate": rsi_bands,
    },
    "donchian-breakout": {
        "indicators": {"wide": ("donchian", {"n": 20}), "narrow": ("donchian", {"n": 10})},
        "conditions": {
            "enterLong": "close[0] > wide.upper[1]",
            "exitLong": "close[0] < narrow.lower[1]",
            "enterShort": "close[0] < wide.lower[1]",
            "exitShort": "close[0] > narrow.upper[1]",
        },
        "evaluate": donchian_breakout,
    },
}


def decide(held, true):
    """`held` is the position's sign, `true` the names of the conditions that hold."""
    if held > 0:
        return "enterShort" if "enterShort" in true else "exit" if "exitLong" in true else "hold"
    if held < 0:
        return "enterLong" if "enterLong" in true else "exit" if "exitShort" in true else "hold"
    entries = [name for name in ("enterLong", "enterShort") if name in true]
    return entries[0] if len(entries) == 1 else "hold"


HELD_AFTER = {"enterLong": 1, "enterShort": -1, "exit": 0}


def window_at(bars, i):
    return bars[max(0, i + 1 - WINDOW) : i + 1]


def newest_two(series):
    return [series[-1], series[-2]]


def run_strategy(strategy, bars):
    held, decisions = 0, []
    for i in range(FIRST, BARS):
        window = window_at(bars, i)
        series = {
            name: newest_two(INDICATORS[kind][0](window, **parameters))
            for name, (kind, parameters) in strategy["indicators"].items()
        }
        conditions = strategy["evaluate"](newest_two(closes(window)), **series)
        assert conditions.keys() == strategy["conditions"].keys()
        decision = decide(held, {name for name, holds in conditions.items() if holds})
        held = HELD_AFTER.get(decision, held)
        values = {name: pair[0] for name, pair in series.items()}
        decisions.append([i, decision, as_floats(values, lambda x: float(f"{float(x):.10g}"))])
    return decisions


# --- Writing --------------------------------------------------------------------------------------


def as_floats(value, rounded=float):
    if isinstance(value, dict):
        return {name: as_floats(part, rounded) for name, part in value.items()}
    if isinstance(value, list):
        return [as_floats(part, rounded) for part in value]
    number = rounded(value)
    return int(number) if number.is_integer() else number


def one_line(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{name}": {one_line(v)}' for name, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(one_line(part) for part in value) + "]"
    if isinstance(value, float):
        return repr(value).replace("e-0", "e-")
    return json.dumps(value)


def formatted(value, indent=0, before=0):
    """JSON as the repository's formatter leaves it: on one line where that fits in 100 columns."""
    line = one_line(value)
    parted = isinstance(value, list) and all(isinstance(part, dict) for part in value)
    if not isinstance(value, (dict, list)) or not parted and indent + before + len(line) < 100:
        return line
    inner = indent + 2
    pad = "\n" + " " * inner
    if isinstance(value, dict):
        lines = [f'"{k}": {formatted(v, inner, len(k) + 4)}' for k, v in value.items()]
        return "{" + pad + ("," + pad).join(lines) + "\n" + " " * indent + "}"
    lines = [formatted(part, inner) for part in value]
    return "[" + pad + ("," + pad).join(lines) + "\n" + " " * indent + "]"


def reference(bars):
    indicators = {}
    for name, (calculate, parameters) in INDICATORS.items():
        at = {}
        for i in SHOWN_BARS:
            at[str(i)] = as_floats(newest_two(calculate(window_at(bars, i), **parameters)))
        indicators[name] = {**parameters, "at": at}
    strategies = {}
    for name, strategy in STRATEGIES.items():
        strategies[name] = {
            "indicators": {
                role: {"kind": kind, **parameters}
                for role, (kind, parameters) in strategy["indicators"].items()
            },
            "conditions": strategy["conditions"],
            "decisions": run_strategy(strategy, bars),
        }
    return {"indicators": indicators, "strategies": strategies}


def main():
    text = made_up_bars()
    bars = read_bars(text)
    verify(bars)
    answers = reference(bars)
    (HERE / "bars-mnq-5m.csv").write_text(text, newline="\n")
    (HERE / "reference.json").write_text(formatted(answers) + "\n", newline="\n")
    for name, strategy in answers["strategies"].items():
        decisions = [decision for _, decision, _ in strategy["decisions"]]
        print(name, {each: decisions.count(each) for each in sorted(set(decisions))})


if __name__ == "__main__":
    main()
