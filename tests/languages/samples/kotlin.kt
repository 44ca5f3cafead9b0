@file:JvmName("Shop")
package org.example.shop

import java.util.*
import kotlin.math.max as larger

/** A shop. */
typealias Table<K> = Map<K, List<Int>>
const val LIMIT = 0xFFL + 0b11 + 1_000
private val rate: Double = 1.5e-3 + 2.0f

@Serializable
data class Part(val name: String, var price: Double = 1.0, vararg val sizes: Int) : Base(name), Visit by other

sealed interface Shape
enum class Colour(val code: Int) {
    RED(1), GREEN(2);
    fun paint() {}
}
annotation class Mark
fun interface Handler { fun handle(event: Any?): Unit }
object Single { init { println("init") } }
value class Id(val id: Int)

abstract class Store<in T : Any, out R>(private val items: MutableList<T>) : Base(), Comparable<R> where T : Shape {
    companion object { @JvmStatic val count = 0 }
    lateinit var label: String
    var size: Int = 3
        get() = field + 1
        private set(value) { field = value }
    val lazyValue by lazy { 'x' }

    constructor(n: Int) : this(mutableListOf()) { this.size = n }

    override operator fun plus(other: Store<T, R>?): Int = other?.size ?: -1
    infix fun to(that: Int) = that
    protected open suspend inline fun <reified U> load(path: String, crossinline f: (U) -> Unit): U? {
        outer@ for (i in 0 until 10 step 2) {
            if (i % 2 == 0 || i !in 1..5) continue@outer else break
        }
        while (size > 0 && !false) { size--; size += 2 }
        do { ++size } while (size <= 5)
        val text = "quoted $label and ${items.size + 1}\n" + """raw "text"
            of $size lines""".trimIndent()
        val kind = when (val x = items.first()) {
            is String, !is Int -> "some"
            in listOf(1, 2) -> "few"
            null -> "none"
            else -> throw IllegalStateException("no")
        }
        when {
            size > 1 -> return null
            else -> {}
        }
        val (a, _) = 1 to 2
        val found = try { text.toInt() } catch (e: NumberFormatException) { 0 } finally { println() }
        items.map { it.toString() }.filter { x: String -> x.isNotEmpty() }.forEach(::println)
        val add: (Int, Int) -> Int = { x, y -> x + y shl 1 }
        val anon = fun(x: Int): Int { return x * x }
        val obj = object : Handler { override fun handle(event: Any?) { super.toString() } }
        val cast = found as? Long ?: text!!.length === a
        return this@Store.items[0] as U
    }
}
fun String.shout(times: Int = 1): String = this.uppercase() + "!".repeat(times)
fun <T> T.also2(block: T.() -> Unit): T { block(); return this }
val nullable: List<String?>? = null; val ok = true != false
