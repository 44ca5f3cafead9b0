import java.util.Scanner;

class Main {
    public static void main(String[] args) {
        int limit = new Scanner(System.in).nextInt();
        boolean[] composite = new boolean[limit + 1];
        long total = 0;
        for (int number = 2; number <= limit; number++) {
            if (!composite[number]) {
                total += number;
                for (int multiple = number * number; multiple <= limit; multiple += number) {
                    composite[multiple] = true;
                }
            }
        }
        System.out.println(total);
    }
}
