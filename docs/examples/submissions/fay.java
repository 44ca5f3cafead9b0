import java.util.Scanner;

class Main {
    static boolean isPrime(int number) {
        if (number < 2) {
            return false;
        }
        int divisor = 2;
        while (divisor * divisor <= number) {
            if (number % divisor == 0) {
                return false;
            }
            divisor += 1;
        }
        return true;
    }

    public static void main(String[] args) {
        int limit = new Scanner(System.in).nextInt();
        int total = 0;
        for (int number = 0; number <= limit; number++) {
            if (isPrime(number)) {
                total += number;
            }
        }
        System.out.println(total);
    }
}
