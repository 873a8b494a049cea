import Testing

@testable import LibAV

/// Scrambled transport and program streams.
struct ScrambledStreamTests {
    private func packets(_ count: Int, distance: Int, scrambling: (Int) -> UInt8) -> [UInt8] {
        (0..<count).flatMap { index -> [UInt8] in
            // Every fifth packet is a table.
            let pid: UInt8 = index % 5 == 0 ? 0 : 0x41
            let packet = [0x47, 0, pid, 0x10 | (pid == 0 ? 0 : scrambling(index) << 6)] as [UInt8]
            let padding = [UInt8](repeating: 0, count: 184)
            return [UInt8](repeating: 1, count: distance - 188) + packet + padding
        }
    }

    @Test(arguments: [188, 192]) func transportStreams(distance: Int) {
        #expect(ScrambledStream.isScrambled(packets(60, distance: distance) { _ in 2 }))
        #expect(ScrambledStream.isScrambled(packets(60, distance: distance) { _ in 3 }))
        #expect(!ScrambledStream.isScrambled(packets(60, distance: distance) { _ in 0 }))
        // A few damaged packets, and a file too short to tell.
        #expect(!ScrambledStream.isScrambled(packets(60, distance: distance) { $0 > 45 ? 2 : 0 }))
        #expect(!ScrambledStream.isScrambled(packets(10, distance: distance) { _ in 2 }))
    }

    @Test func programStreams() {
        func stream(_ flags: (Int) -> UInt8) -> [UInt8] {
            [0, 0, 1, 0xBA, 0x44, 0, 4, 0]
                + (0..<40).flatMap { [0, 0, 1, 0xE0, 0, 8, flags($0), 0, 0, 0, 0, 1, 0xE0, 0xB0] }
        }
        #expect(ScrambledStream.isScrambled(stream { $0 % 2 == 0 ? 0x90 : 0x80 }))
        #expect(!ScrambledStream.isScrambled(stream { _ in 0x80 }))
        #expect(!ScrambledStream.isScrambled([]))
    }
}
