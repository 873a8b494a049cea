/// The size of a QR code, with what it holds at error correction level M (ISO/IEC 18004, table 9).
struct QRCodeVersion: Sendable, Hashable, CaseIterable {
    let number: Int
    /// Codewords of error correction in each block.
    private let checkCount: Int
    private let blockCount: Int

    /// The last one holds 180 bytes; the address of an authenticator app has 142 with the longest username.
    static let allCases: [QRCodeVersion] = [
        (10, 1), (16, 1), (26, 1), (18, 2), (24, 2), (16, 4), (18, 4), (22, 4), (22, 5),
    ].enumerated().map { QRCodeVersion(number: $0 + 1, checkCount: $1.0, blockCount: $1.1) }

    /// Modules along an edge.
    var size: Int { 17 + 4 * number }

    /// The rows and columns of the centres of alignment patterns (annex E).
    var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let (first, last, gaps) = (6, size - 7, number / 7 + 1)
        let distance = (last - first + 2 * gaps - 1) / (2 * gaps) * 2
        return [first] + (0..<gaps).reversed().map { last - $0 * distance }
    }

    private var dataCodewordCount: Int { QRCodeDrawing(self).freeModuleCount / 8 - checkCount * blockCount }

    /// The most bytes of text; mode and length take 12 bits.
    var capacity: Int { dataCodewordCount - 2 }

    /// The text in byte mode with terminator and padding (§7.4).
    func dataCodewords(_ bytes: [UInt8]) -> [UInt8] {
        let count = dataCodewordCount
        var bits: [Bool] = []
        func append(_ value: Int, _ width: Int) {
            for shift in (0..<width).reversed() { bits.append(value >> shift & 1 == 1) }
        }
        append(0b0100, 4)
        append(bytes.count, 8)
        for byte in bytes { append(Int(byte), 8) }
        // The terminator also fills the last byte, because mode and length are a byte and a half.
        append(0, 4)
        var codewords = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for index in 0..<max(0, count - codewords.count) { codewords.append(index.isMultiple(of: 2) ? 0xEC : 0x11) }
        return codewords
    }

    /// The codewords with error correction in the order in which they are drawn (§7.6): the blocks take turns. The last
    /// blocks are one codeword longer if the data is not a multiple of their number.
    func interleaved(_ data: [UInt8]) -> [UInt8] {
        let (short, longBlockCount) = (data.count / blockCount, data.count % blockCount)
        var blocks: [ArraySlice<UInt8>] = []
        var start = 0
        for index in 0..<blockCount {
            let end = start + short + (index >= blockCount - longBlockCount ? 1 : 0)
            blocks.append(data[start..<end])
            start = end
        }
        let code = ReedSolomonCode(checkCount: checkCount)
        let checks = blocks.map(code.check)
        var codewords: [UInt8] = []
        for index in 0...short {
            for block in blocks where index < block.count { codewords.append(block[block.startIndex + index]) }
        }
        for index in 0..<checkCount { codewords += checks.map { $0[index] } }
        return codewords
    }
}
