// A small container.
#include <iostream>
#include <vector>
#define FOR(i, n) for (int i = 0; i < (n); ++i)
using namespace std;
using Table = std::map<std::string, std::vector<int>>;
namespace shapes::round { constexpr double pi = 3.14'15; }
namespace sr = shapes::round;

template <typename T, int N = 3, class... Rest>
class Stack final : public Base<T>, private virtual Other {
public:
    explicit Stack(int n = 0) noexcept : size_{n}, data_(new T[n]) {}
    Stack(const Stack &) = delete;
    Stack(Stack &&other) = default;
    virtual ~Stack() { delete[] data_; delete this->one; }
    virtual void draw() const = 0;
    void paint() override;
    T &operator[](size_t i) & { return data_[i]; }
    bool operator==(const Stack &o) const { return size_ == o.size_ && !(size_ != o.size_); }
    operator bool() const { return size_ > 0; }
    friend std::ostream &operator<<(std::ostream &out, const Stack &s);
    static inline int count = 0;
    mutable int cache_;
protected:
    T *data_ = nullptr;
private:
    int size_;
};

template <> struct hash<int> { enum class Kind : char { A, B = 2 }; union { int i; float f; }; };
template <class T> concept Small = sizeof(T) <= 8 && requires(T t) { t.size(); };
template <typename... Args> auto sum(Args... args) -> decltype(auto) { return (args + ...); }

struct Point { int x, y; auto operator<=>(const Point &) const = default; };
unsigned long long operator"" _km(long double d) { return d * 1000; }

int main(int argc, char *argv[]) try {
    auto total = 10ULL + 0x1F + 0b11 + 017 + 1e9 + 2.5f;
    const auto text = R"(raw "text")" "joined"s;
    char letter = '\n';
    std::vector<std::pair<int, int>> pairs{{1, 2}, {3, 4}};
    for (const auto &[key, value] : pairs) cout << key << " " << value << endl;
    auto add = [&, total = 3](int a, auto b) mutable -> int { return a + b ^ ~a | b & 1; };
    if (auto it = pairs.begin(); it != pairs.end() and not false) it->first += static_cast<int>(2.0);
    for (int i = 0; i < 3; ++i) { total -= i % 2 ? 1 : -1; }
    do { --total; } while (total >= 100 || total < 5);
    while (true) { break; }
    switch (letter) { case 'a': [[fallthrough]]; default: ; }
    try { throw std::runtime_error("no"); } catch (const std::exception &e) { throw; } catch (...) {}
    Stack<int, 4> *stack = new Stack<int, 4>(3);
    int (Point::*method)() = &Point::norm;
    auto distance = 3.5_km;
    static_assert(sizeof(int) == 4, "size");
    volatile unsigned int u = 3u; u <<= 2; u >>= 1;
    co_return stack ? (int) u : int(u);
} catch (...) { return 1; }
extern "C" { void c_function(int, ...); }
