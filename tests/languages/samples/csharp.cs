#nullable enable
using System;
using static System.Math;
using Table = System.Collections.Generic.Dictionary<string, int[]>;
[assembly: CLSCompliant(true)]
#region Shop things
namespace Example.Shop
{
    /// <summary>One part.</summary>
    [Serializable, Obsolete("old")]
    public abstract partial class Part<T> : Base, IDisposable where T : class, new()
    {
        private const long Limit = 0xFFL + 0b11 + 1_000;
        protected static readonly double rate = 1.5e-3, other = 2f;
        public decimal Price { get; private set; } = 3.0m;
        public string Name => $"{first} and {Price,10:F2} {{braces}}";
        public event EventHandler? Changed;
        public int this[int i] { get { return data[i]; } set => data[i] = value; }
        char letter = 'x', tab = '\t';
        object? nothing = null; dynamic any = default(int);
        string path = @"C:\dir ""quoted""", raw = """raw "text" here""", mixed = $@"{path}\x";

        static Part() { }
        public Part(string name, params int[] sizes) : base(name) { this.letter = name?[0] ?? 'y'; }
        ~Part() { }
        public static Part<T> operator +(Part<T> a, Part<T> b) => a;
        public static explicit operator int(Part<T> p) => 1;
        public virtual async Task<int> LoadAsync<U>(ref int a, out int b, in int c, U? d = null) where U : struct
        {
            b = 1;
            for (int i = 0, n = 5; i < n && !false; i++) { if (i % 2 == 0) continue; else break; }
            foreach (var (key, value) in table) { a += value << 2 >> 1; a ^= ~3 & 4 | 5; }
            while (a > 0) { a--; }
            do { ++a; } while (a <= 5);
            switch (d) { case int k when k > 1: goto default; case null: break; default: return 0; }
            var size = a switch { > 1 and < 5 => "some", 0 or 1 => "few", _ => throw new Exception() };
            try { using var file = File.Open(path); await Task.Delay(1); }
            catch (IOException e) when (e.Message != "") { throw; }
            finally { lock (this) { checked { a *= 2; } } }
            Func<int, int> f = x => x * x, g = delegate (int x) { return -x; };
            var query = from p in parts where p.Price > 1 orderby p.Name descending select new { p.Name, p.Price };
            int[] data = new int[] { 1, 2, 3 }, more = [1, 2, ..data]; var last = data[^1]; var part = data[1..^1];
            if (nothing is string { Length: > 0 } s || nothing is not null) yield_(s as object);
            unsafe { int* p = &a; *p = sizeof(int); }
            return typeof(T) == null ? nameof(a).Length : base.GetHashCode();
            int Local(int x) => x;
        }
        IEnumerable<int> Numbers() { yield return 1; yield break; }
    }
    public record Point(int X, int Y) { public Point With() => this with { X = 1 }; }
    interface IShape { double Area(); }
    enum Colour : byte { Red = 1, Green }
    struct Pair { public int a; }
    delegate void Handler(object sender, EventArgs e);
}
#endregion
