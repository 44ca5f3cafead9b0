<html><body><h1>It's a shop</h1>
<?php
declare(strict_types=1);
namespace Example\Shop;

use Example\Other\{Part, Store as Shop};
use function Example\tool;

// a comment
# another
/** A shop. */
#[Attribute(flags: 1)]
abstract class Basket extends Base implements \Countable, Visit
{
    use Logging, Timing { Logging::log insteadof Timing; log as protected write; }
    const LIMIT = 0xFF + 0b11 + 017 + 1_000;
    public static ?int $count = null;
    private readonly array|string $items;
    protected float $rate = 1.5e-3;

    public function __construct(private string $name, protected int $size = 3, string ...$rest) {
        parent::__construct($name);
        $this->items = [1, 'two' => "two $name {$this->name}\n", ...$rest];
        self::$count ??= static::LIMIT;
    }

    abstract public function draw(): void;

    final public function visit(array &$parts, ?callable $f = null): static|false {
        global $shared;
        static $calls = 0;
        for ($i = 0, $n = count($parts); $i < $n && !false; $i++) {
            if ($parts[$i] === null || $i % 2 !== 0) continue;
            elseif ($i >= 10) { break 1; } else $calls += $i ** 2;
        }
        foreach ($parts as $key => &$value) { $value .= (string) $key; unset($parts[$key]); }
        while ($calls > 0): $calls--; endwhile;
        do { ++$calls; } while ($calls <= 5 and true);
        switch ($calls) { case 1: return $this; default: break; }
        $size = match (true) { $calls > 1, $calls < 0 => 'some', default => throw new \Exception() };
        try { [$a, , $b] = tool(); list('k' => $c) = $parts; } catch (\TypeError | \ValueError $e) { throw $e; } finally { }
        $add = fn(int $x): int => $x + $calls <=> 3;
        $by = function ($x) use (&$add) { yield $x => 1; yield from $x; };
        $text = <<<EOT
            Hello {$this->name} and $name
            EOT;
        $raw = <<<'RAW'
            no $name
            RAW;
        $value = $parts['a']?->first()?->b ?? ($calls ? ~$calls & 1 | 2 ^ 3 << 1 : -1);
        $object = new class($value) { public int $x = 1; };
        $clone = clone $object instanceof Part; $f = strlen(...); $$name = `ls -l`;
        echo $object::class, PHP_EOL; print "done"; goto end;
        end: return @$parts ? $this : false;
    }
}

interface Visit { public function visit(array &$parts): mixed; }
trait Timing { }
enum Suit: string { case Hearts = 'H'; const Wild = self::Hearts; }
function helper(int|null $x = null): never { require_once __DIR__ . '/other.php'; exit(1); }
if ($x): ?>
  <p>Found <?= $x ?> of them</p>
<?php endif;
