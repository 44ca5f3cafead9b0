// Package shop sells parts.
package shop

import (
	"fmt"
	. "math"
	str "strings"
	_ "embed"
)

const (
	Small = iota
	Large
	Mask = 0xFF &^ 0b11 | 0o17
)

var limit, rate = 1_000, 1.5e-3

type Number interface {
	~int | ~float64
	comparable
}

type Part[T Number] struct {
	Name  string `json:"name"`
	Price T
	next  *Part[T]
	embedded
}

type Shop interface {
	Visit(items ...string) (n int, err error)
	fmt.Stringer
}

type Handler func(w int, r *string) bool
type Alias = map[string][]chan<- int

/* Sum adds. */
func Sum[K comparable, V Number](m map[K]V) V {
	var total V
	for _, v := range m {
		total += v
	}
	return total
}

func (p *Part[T]) Visit(items ...string) (n int, err error) {
	defer func() { recover() }()
	ch := make(chan int, 3)
	go func(c <-chan int) { <-c }(ch)
outer:
	for i := 0; i < len(items) && !false; i++ {
		if x := items[i]; x == "" || i%2 != 0 {
			continue outer
		} else if i >= 10 {
			break
		}
	}
	for {
		select {
		case v, ok := <-ch:
			fmt.Println(v, ok, 'x', '\n', `raw
text`, "quoted \"text\"")
		case ch <- 1:
		default:
			goto end
		}
	}
end:
	switch t := any(p).(type) {
	case nil:
		return 0, nil
	case *int, string:
		fallthrough
	default:
		_ = t
	}
	arr := [...]int{1, 2, 3: 4}
	part := &Part[int]{Name: "a", Price: 3 << 2 >> 1}
	n = int(arr[0]) ^ -1 & 2
	n++
	n <<= 1
	n &^= 3
	c := 2i + complex(1.0, Pi)
	_, _ = c, arr[1:2:3]
	if f, ok := part.next.(interface{ F() }); ok && str.Contains("a", "b") {
		f.F()
	}
	return n, err
}
