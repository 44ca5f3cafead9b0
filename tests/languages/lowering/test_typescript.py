from tests.languages.lowering.dependences import calls, control, data, names

PROGRAM = """enum Colour { Red, Green = 2 }
interface Shape { area(): number }
class Square implements Shape {
  private n: number = 0;
  constructor(private side: number, name?: string, ...rest: string[]) { this.n = side!; }
  area(): number { return this.side * (this.n as number); }
}
function total<T extends Shape>(shapes: T[], start = 0): number {
  let sum: number = start;
  for (const s of shapes) {
    sum += s.area();
  }
  return <number>sum;
}
const all: Square[] = [new Square(2)];
console.log(total(all));"""


def test_types_do_nothing() -> None:
    text = """type A = string | number;
interface B { x: number; f(y: A): void }
declare const z: number;
abstract class C { abstract f(): void; }
function g(x: number): string;
let h: A;"""
    assert names(text, "typescript") == ["="]  # h starts empty


def test_control_and_data() -> None:
    assert control(PROGRAM, "typescript") == {(10, 11)}
    assert {(8, 9), (8, 10), (9, 11), (9, 13), (10, 11), (11, 13), (15, 16)} <= data(
        PROGRAM, "typescript"
    )


def test_calls_by_declared_types() -> None:
    assert calls(PROGRAM, "typescript") == {(11, "area"), (15, "constructor"), (16, "total")}


def test_a_parameter_that_is_a_field() -> None:
    text = """class A {
  constructor(private a: number) {}
  get() { return this.a; }
}
const x = new A(f());
x.get();"""
    assert {(5, 6)} <= data(text, "typescript")


def test_with_jsx() -> None:
    text = """const n: number = f();
const e = <p id={n}>{g(n)}</p>;
if (n > 1)
  use(e);"""
    assert control(text, "typescript") == {(3, 4)}
    assert data(text, "typescript") == {(1, 2), (1, 3), (2, 4)}


def test_namespaces_and_casts_are_transparent() -> None:
    text = """namespace N {
  export const a = 1;
  export function f(x: unknown) { return (x as any) satisfies number; }
  const b = <any>a;
}"""
    assert data(text, "typescript") == {(2, 4)}
