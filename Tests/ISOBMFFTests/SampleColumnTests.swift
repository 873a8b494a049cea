import Testing

@testable import ISOBMFF

struct SampleColumnTests {
    static let sequences: [[UInt32]] = [
        [], [7], [7, 7], [1, 2], [5, 5, 5, 1], [1, 5, 5, 5], [3, 3, 1, 3, 3], [0, 0, .max, .max, 0],
        Array(repeating: 1_024, count: 300) + [1_000] + Array(repeating: 1_024, count: 300),
    ]

    @Test(arguments: sequences)
    func runsAreTheNumbersThatWentIn(_ numbers: [UInt32]) {
        var runs = RunLengthArray()
        for number in numbers { runs.append(number) }
        #expect(Array(runs) == numbers && runs.count == numbers.count && runs.last == numbers.last)
        #expect(runs.indices.map { runs[$0] } == numbers)
        #expect(runs.total == numbers.reduce(0) { $0 + Int64($1) })
        for start in 0...numbers.count {
            var iterator = runs.makeIterator(from: start)
            var rest: [UInt32] = []
            while let number = iterator.next() { rest.append(number) }
            #expect(rest == Array(numbers[start...]))
            #expect(Self.readInRuns(runs.makeIterator(from: start)) == rest)
        }
    }

    private static func readInRuns(_ iterator: RunLengthArray.Iterator) -> [UInt32] {
        var iterator = iterator
        var numbers: [UInt32] = []
        while let run = iterator.peekRun() {
            // Takes one element, then skips the rest of the run.
            guard let number = iterator.next() else { break }
            numbers += [number] + Array(repeating: run.value, count: run.count - 1)
            iterator.skip(run.count - 1)
        }
        return numbers
    }

    @Test(arguments: sequences.filter { !$0.isEmpty }, [0, 5, 1_024] as [UInt32])
    func theLastOfARunCanBecomeAnother(_ numbers: [UInt32], _ number: UInt32) {
        var runs = RunLengthArray()
        for number in numbers { runs.append(number) }
        runs.replaceLast(with: number)
        runs.append(9)
        #expect(Array(runs) == numbers.dropLast() + [number, 9])
    }

    @Test func aLongRunCostsAsMuchAsAShortOne() {
        var runs = RunLengthArray()
        runs.append(1_024, count: 1_000_000)
        runs.append(1_024, count: 0)
        runs.append(1_024, count: 1)
        #expect(runs.count == 1_000_001 && runs.memoryByteCount == 8 && runs.total == 1_024 * 1_000_001)
    }

    @Test(
        arguments: [
            [], [0], [0, Int64(UInt32.max)], [1, Int64(UInt32.max) + 1, 2], [Int64.max, 0], [5, 6, .max, 7],
        ] as [[Int64]])
    func offsetsAreTheOnesThatWentIn(_ numbers: [Int64]) {
        var offsets = SampleOffsets()
        for number in numbers { offsets.append(number) }
        #expect(Array(offsets) == numbers && offsets.count == numbers.count)
        let isNarrow = numbers.allSatisfy { $0 <= UInt32.max }
        #expect(offsets.memoryByteCount == numbers.count * (isNarrow ? 4 : 8))
    }
}
