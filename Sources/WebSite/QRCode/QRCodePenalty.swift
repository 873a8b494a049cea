/// How hard a masked QR code is to read (ISO/IEC 18004 §7.8.3).
enum QRCodePenalty {
    private static let finder = [true, false, true, true, true, false, true]
    private static let light = [false, false, false, false]

    static func of(_ modules: [Bool], size: Int) -> Int {
        let rows = (0..<size).map { row in Array(modules[row * size..<(row + 1) * size]) }
        var penalty = 0
        for line in rows + (0..<size).map({ column in rows.map { $0[column] } }) {
            // Five of one colour count 3, each one more counts 1.
            for start in 0...size - 5 where line[start..<start + 5].allSatisfy({ $0 == line[start] }) {
                penalty += start > 0 && line[start - 1] == line[start] ? 1 : 3
            }
            // What looks like a finder pattern beside four light modules.
            for start in 0...size - 11 {
                let part = line[start..<start + 11]
                if part.elementsEqual(finder + light) || part.elementsEqual(light + finder) { penalty += 40 }
            }
        }
        for (above, below) in zip(rows, rows.dropFirst()) {
            for x in 1..<size where Set([above[x - 1], above[x], below[x - 1], below[x]]).count == 1 { penalty += 3 }
        }
        // Ten for every five percent that the dark modules differ from one half.
        return penalty + abs(modules.count { $0 } * 20 - modules.count * 10) / modules.count * 10
    }
}
