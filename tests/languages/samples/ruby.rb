#!/usr/bin/env ruby
# A small shop.
require 'set'
require_relative "other"

module Shop
  LIMIT = 0xFF + 0b11 + 0o17 + 1_000
  RATE = 1.5e-3 + 2r + 3i

  class Part < Base::Item
    include Comparable
    attr_accessor :name, :"quoted name"
    @@count = 0

    def initialize(name, price = 1.0, *rest, owner: nil, size:, **others, &block)
      super(name)
      @name, @price = name, price
      @@count += 1
      $shared ||= %w[a b c] + %i[x y]
    end

    def self.build(...) = new(...)
    def <=>(other) = price <=> other.price
    def []=(key, value); @data[key] = value; end
    def valid?; !@name.nil? && @price >= 0; end

    private

    def label
      text = "#{@name} costs #{'%.2f' % @price}\n" 'joined'
      body = <<~TEXT + <<-'RAW'
        Hello #{@name}
      TEXT
        raw text
      RAW
      return text unless text =~ /^a+[\/b]$/i and not body.empty?
      `ls -l #{text}`
    end
  end

  class << self
    def search(items)
      items.each_with_index do |(item, other), i; local|
        next if i.zero? || item.nil?
        break unless i < 10
        redo if i == 3
      end
      total = items.map { |x| x[:price] ** 2 }.reduce(:+)
      while total > 0 do total -= 1 end
      until total <= -5; total *= 2; end
      for a in 1..10 do puts a end
      begin
        raise ArgumentError, "no" if total != 0
      rescue ArgumentError, TypeError => e
        retry
      else
        puts ?a
      ensure
        yield total, &block
      end
      case total
      when 1, 2..3 then :few
      when Integer, ->(n) { n > 3 } then :many
      else nil
      end
      case { name: "x", list: [1, 2] }
      in { name: String => n, list: [Integer, *rest] } if n
        n
      in [a, b] | nil then self
      end
      hash = { "a" => 1, b: 2, **items, 'c d': ~3 & 4 | 5 ^ 6 << 1 }
      value = total ? items&.first : (defined?(x) or -1)
      a, (b, *c), d = *items, 1...2
      alias_method :old, :new; alias newer search; undef old
      puts __FILE__, __LINE__, __method__, true & false, hash[:a], value.!, items::size
      lambda { |x, y = 2| x + y }.(1) ; BEGIN { } 
    end
  end
end
=begin
a block comment
=end
__END__
anything at all
