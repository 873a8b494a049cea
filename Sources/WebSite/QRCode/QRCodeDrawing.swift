/// The modules of a QR code while it is drawn (ISO/IEC 18004 §6.3, §7.7 to §7.10).
struct QRCodeDrawing: Sendable {
    let size: Int
    private var isDark: [Bool]
    /// Modules that hold no data: patterns, format and version.
    private var isReserved: [Bool]

    init(_ version: QRCodeVersion) {
        size = version.size
        isDark = Array(repeating: false, count: size * size)
        isReserved = isDark
        for index in 0..<size {
            set(6, index, index.isMultiple(of: 2))
            set(index, 6, index.isMultiple(of: 2))
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
            drawSquares(row, column, radius: 4, light: [2, 4])
        }
        let centres = version.alignmentCentres
        for row in centres {
            // Three corners have finders instead.
            for column in centres
            where !(isReserved[row * size + column] && (row == column || row + column == size - 1)) {
                drawSquares(row, column, radius: 2, light: [1])
            }
        }
        drawFormat(mask: 0)
        if version.number >= 7 { drawVersion(version.number) }
    }

    /// Modules that are left for data.
    var freeModuleCount: Int { isReserved.count { !$0 } }

    private mutating func set(_ row: Int, _ column: Int, _ value: Bool) {
        isDark[row * size + column] = value
        isReserved[row * size + column] = true
    }

    /// Draws squares around a centre; those whose distance is in `light` are light.
    private mutating func drawSquares(_ row: Int, _ column: Int, radius: Int, light: Set<Int>) {
        for y in max(0, row - radius)...min(size - 1, row + radius) {
            for x in max(0, column - radius)...min(size - 1, column + radius) {
                set(y, x, !light.contains(max(abs(y - row), abs(x - column))))
            }
        }
    }

    /// The remainder of `value` times x^`degree` after division by a polynomial over two elements (annex C and D).
    private static func remainder(_ value: Int, generator: Int, degree: Int) -> Int {
        var rest = value << degree
        while rest >> degree != 0 {
            rest ^= generator << (Int.bitWidth - rest.leadingZeroBitCount - 1 - degree)
        }
        return rest
    }

    /// §7.9: level M is 00.
    private mutating func drawFormat(mask: Int) {
        let bits = (mask << 10 | Self.remainder(mask, generator: 0x537, degree: 10)) ^ 0x5412
        for index in 0..<15 {
            let bit = bits >> index & 1 == 1
            // Around the finder at the top left, past the timing patterns.
            switch index {
            case 0..<6: set(index, 8, bit)
            case 6, 7: set(index + 1, 8, bit)
            case 8: set(8, 7, bit)
            default: set(8, 14 - index, bit)
            }
            if index < 8 { set(8, size - 1 - index, bit) } else { set(size - 15 + index, 8, bit) }
        }
        set(size - 8, 8, true)
    }

    /// §7.10
    private mutating func drawVersion(_ number: Int) {
        let bits = number << 12 | Self.remainder(number, generator: 0x1F25, degree: 12)
        for index in 0..<18 {
            let bit = bits >> index & 1 == 1
            set(index / 3, size - 11 + index % 3, bit)
            set(size - 11 + index % 3, index / 3, bit)
        }
    }

    /// §7.7.3: two columns at a time from the right, upwards and downwards in turn; column 6 is the timing pattern.
    mutating func place(_ codewords: [UInt8]) {
        var position = 0
        var isUpwards = true
        for right in stride(from: size - 1, through: 1, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) {
            for step in 0..<size {
                let row = isUpwards ? size - 1 - step : step
                for column in [right, right - 1] where !isReserved[row * size + column] {
                    // What is left over after the last codeword stays light.
                    guard position < codewords.count * 8 else { continue }
                    isDark[row * size + column] = codewords[position / 8] >> (7 - position % 8) & 1 == 1
                    position += 1
                }
            }
            isUpwards.toggle()
        }
    }

    /// The modules with a mask and the format that names it.
    func masked(_ mask: Int) -> [Bool] {
        var copy = self
        copy.drawFormat(mask: mask)
        for row in 0..<size {
            for column in 0..<size where !isReserved[row * size + column] && Self.inverts(mask, row, column) {
                copy.isDark[row * size + column].toggle()
            }
        }
        return copy.isDark
    }

    /// Table 10.
    private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }
}
