import pytest
from tests.languages.lowering.dependences import Pairs, calls, control, data, names

# Bodies of a function: line 1 is its head.
PROGRAMS: dict[str, tuple[str, Pairs, Pairs]] = {
    "assignments of several values": (
        """func f(a, b int) {
	x, y := a, b
	x, y = y, x
	q, err := div(x, y)
	r, err := div(y, x)
	use(q, r, err)
}""",
        set(),
        {(1, 2), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6)},
    ),
    "four kinds of for": (
        """func f(m map[string]int, n int) {
	for i := 0; i < n; i++ {
		use(i)
	}
	for n > 0 {
		n--
	}
	for k, v := range m {
		use(k, v)
	}
	for {
		if stop() {
			break
		}
	}
	for range n {
		g()
	}
}""",
        {(2, 3), (5, 6), (8, 9), (16, 17)},
        {(1, 2), (1, 5), (1, 6), (1, 8), (1, 16), (2, 3), (6, 5), (6, 16), (8, 9)},
    ),
    "labelled break and continue": (
        """func f(a [][]int) {
outer:
	for _, r := range a {
		for _, x := range r {
			if x == 0 {
				continue outer
			}
			if x == 1 {
				break outer
			}
			use(x)
		}
	}
}""",
        {(3, 4), (4, 3), (4, 5), (5, 3), (5, 6), (5, 8), (8, 4), (8, 9), (8, 11)},
        {(1, 3), (3, 4), (4, 5), (4, 8), (4, 11)},
    ),
    "goto": (
        """func f(n int) {
again:
	n--
	if n > 0 {
		goto again
	}
	use(n)
}""",
        {(4, 5), (4, 3)},
        {(1, 3), (3, 4), (3, 7)},
    ),
    "switch with init and fallthrough": (
        """func f(x int) {
	r := 0
	switch y := g(x); y {
	case 1, 2:
		r = 1
		fallthrough
	case 3:
		r = 2
	case h():
		r = 3
	default:
		r = 4
	}
	use(r)
}""",
        {(3, 5), (3, 8), (3, 9), (9, 10), (9, 12)},
        {(1, 3), (3, 9), (8, 14), (10, 14), (12, 14)},
    ),
    "switch without a value": (
        """func f(x int) {
	r := 0
	switch {
	case x > 1:
		r = 1
	case x > 0:
		r = 2
	}
	use(r)
}""",
        {(4, 5), (4, 6), (6, 7)},
        {(1, 4), (1, 6), (2, 9), (5, 9), (7, 9)},
    ),
    "type switch": (
        """func f(v any) {
	switch t := v.(type) {
	case int, string:
		use(t)
	default:
		g()
	}
}""",
        {(2, 4), (2, 6)},
        {(1, 2), (2, 4)},
    ),
    "select": (
        """func f(a, b chan int) {
	select {
	case x := <-a:
		use(x)
	case b <- 1:
		g()
	default:
		h()
	}
}""",
        {(2, 3), (2, 4), (2, 5), (2, 6), (2, 8)},
        {(1, 3), (1, 5), (3, 4)},
    ),
    "channels": (
        """func f() {
	c := make(chan int, 1)
	x := g()
	c <- x
	y := <-c
	use(y)
}""",
        set(),
        {(2, 4), (3, 4), (2, 5), (4, 5), (5, 6)},
    ),
    "if with init": (
        """func f(m map[string]int) int {
	if v, ok := m["a"]; ok {
		return v
	} else if len(m) > v {
		return 1
	}
	return 0
}""",
        {(2, 3), (2, 4), (4, 5), (4, 7)},
        {(1, 2), (1, 4), (2, 3), (2, 4)},
    ),
    "deferred calls run last, with the values of before": (
        """func f() (n int) {
	x := 1
	defer use(x)
	x = 2
	defer func() {
		n = n + x
	}()
	return x
}""",
        set(),
        # A function value may run where it is made, too: there n is still that of line 1.
        {(1, 5), (2, 3), (4, 5), (4, 8), (8, 5)},
    ),
    "defer in a branch": (
        """func f(c bool) {
	if c {
		defer g()
	}
	h()
}""",
        {(2, 3)},
        {(1, 2)},
    ),
    "bare return gives the named results": (
        """func f(a int) (n int, err error) {
	if a > 0 {
		n = a
		return
	}
	err = g()
	return
}""",
        {(2, 3), (2, 4), (2, 6), (2, 7)},
        {(1, 2), (1, 3), (3, 4), (1, 4), (6, 7), (1, 7)},
    ),
    "pointers": (
        """func f() {
	x := 1
	p := &x
	*p = 2
	use(x)
	use(*p)
}""",
        set(),
        {(2, 5), (3, 4), (4, 5), (2, 6), (3, 6), (4, 6)},
    ),
    "out-parameters": (
        """func f() {
	var n int
	fmt.Scan(&n)
	use(n)
	var m int
	set(&m)
	use(m)
}""",
        set(),
        {(3, 4), (5, 6), (5, 7), (6, 7)},
    ),
    "slices and maps": (
        """func f(a []int) {
	b := append(a, 1)
	b[0] = 2
	m := map[string]int{}
	m["k"] = b[0]
	delete(m, "j")
	use(m)
	sort.Ints(a[1:])
	use(a)
}""",
        set(),
        {(1, 2), (2, 3), (2, 5), (3, 5), (4, 5), (4, 6), (5, 6), (4, 7), (5, 7)}
        | {(6, 7), (1, 8), (3, 8), (1, 9), (3, 9), (8, 9)},
    ),
    "keys of maps are read, names of fields are not": (
        """func f(k string, x int) {
	m := map[string]P{k: {x: 1}}
	p := P{x: 2}
	use(m, p)
}""",
        set(),
        {(1, 2), (2, 4), (3, 4)},
    ),
    "a function of the text that changes what it gets the address of": (
        """func f() {
	n := 1
	set(&n)
	use(n)
}
func set(p *int) {
	*p = 2
}""",
        set(),
        {(2, 3), (2, 4), (3, 4), (6, 7)},
    ),
    "closure with a variable of its own": (
        """func f(n int) {
	x := n
	g := func() int {
		x := x + 1
		return x
	}
	x = g()
	use(x)
}""",
        set(),
        {(1, 2), (2, 7), (3, 7), (4, 5), (7, 8)},
    ),
    "shadowing in a block": (
        """func f() {
	x := 1
	if g() {
		x := 2
		use(x)
	}
	use(x)
}""",
        {(3, 4), (3, 5)},
        {(2, 7), (4, 5)},
    ),
    "panic ends": (
        """func f(x int) {
	if x < 0 {
		panic("no")
	}
	use(x)
}""",
        {(2, 3), (2, 5)},
        {(1, 2), (1, 5)},
    ),
    "unparsable part": (
        """func f() {
	a := 1
	b := := a
	if a > 0 {
		use(b)
	}
}""",
        {(4, 5)},
        {(2, 3), (2, 4), (3, 5)},
    ),
}


@pytest.mark.parametrize("what", PROGRAMS)
def test_what_decides(what: str) -> None:
    text, expected, _ = PROGRAMS[what]
    assert control(text, "go") == expected


@pytest.mark.parametrize("what", PROGRAMS)
def test_what_gives_values(what: str) -> None:
    text, _, expected = PROGRAMS[what]
    assert data(text, "go") == expected


METHODS = """package main
type Stack struct { items []int; n int }
func (s *Stack) Push(x int) { s.items = append(s.items, x); s.n++ }
func (s *Stack) Top() int { return s.items[s.n-1] }
func New() *Stack { return &Stack{n: 0} }
func main() {
	s := New()
	s.Push(1)
	fmt.Println(s.Top())
	go func(k int) { s.Push(k) }(2)
}"""


def test_methods_change_the_fields_of_their_struct() -> None:
    assert calls(METHODS, "go") >= {(7, "New"), (8, "Push"), (9, "Top"), (10, "Push")}
    assert {(7, 8), (7, 9), (8, 9)} <= data(METHODS, "go")


def test_constants_and_globals() -> None:
    text = """const (
	A = iota
	B
)
var x, y = 1, A
func f() int { return x + B }
func main() { use(f(), y) }"""
    assert data(text, "go") == {(2, 5), (3, 7), (5, 7)}


def test_operators_have_the_names_of_all_languages() -> None:
    text = (
        "func f() { use(!a, -b, *c, &d, []int{1}, map[int]int{}, S{x: 1}, e[1:2], g[0], h.(int)) }"
    )
    assert [n for n in names(text, "go") if not n.isdigit()] == (
        ["!", "neg", "deref", "address", "list", "dict", "new", "slice", "index", "cast", "use"]
    )
