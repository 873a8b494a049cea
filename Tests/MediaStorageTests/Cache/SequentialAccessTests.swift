import Testing

@testable import MediaStorage

struct SequentialAccessTests {
    private func access(
        _ reader: inout SequentialAccess, _ blocks: ClosedRange<Int>, blockCount: Int = 1_000
    ) -> Range<Int> {
        reader.access(blocks, blockCount: blockCount, maximumWindow: 8)
    }

    @Test func readsAheadFurtherAndFurther() {
        var reader = SequentialAccess()
        #expect(access(&reader, 0...0).isEmpty)
        #expect(access(&reader, 1...1) == 2..<3)
        #expect(access(&reader, 2...2) == 3..<5)
        #expect(access(&reader, 3...3) == 5..<8)
        // A second read of the same block changes nothing.
        #expect(access(&reader, 3...3).isEmpty)
        #expect(access(&reader, 4...4) == 8..<13)
        // Much is on its way already.
        for block in 5...7 { #expect(access(&reader, block...block).isEmpty) }
        #expect(access(&reader, 8...8) == 13..<17)
    }

    @Test func doesNotReadAheadOfJumps() {
        var reader = SequentialAccess()
        for block in [500, 20, 300, 900, 0, 700] { #expect(access(&reader, block...(block + 1)).isEmpty) }
    }

    @Test func tellsReadersApart() {
        var reader = SequentialAccess()
        #expect(access(&reader, 0...0).isEmpty)
        #expect(access(&reader, 500...500).isEmpty)
        #expect(access(&reader, 1...1) == 2..<3)
        #expect(access(&reader, 501...501) == 502..<503)
        #expect(access(&reader, 2...2) == 3..<5)
    }

    @Test func stopsAtTheEnd() {
        var reader = SequentialAccess()
        #expect(access(&reader, 6...7, blockCount: 10).isEmpty)
        #expect(access(&reader, 8...8, blockCount: 10) == 9..<10)
        #expect(access(&reader, 9...9, blockCount: 10).isEmpty)
    }
}
