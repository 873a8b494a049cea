/// A QR code of bytes at error correction level M (ISO/IEC 18004), as large as it needs to be.
struct QRCode: Sendable, Hashable {
    /// Modules along an edge, without the quiet zone.
    let size: Int
    /// Whether each module is dark, row by row.
    let modules: [Bool]

    /// - Returns: `nil` for text that is longer than the largest `QRCodeVersion` holds.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = QRCodeVersion.allCases.first(where: { $0.capacity >= bytes.count }) else { return nil }
        var drawing = QRCodeDrawing(version)
        drawing.place(version.interleaved(version.dataCodewords(bytes)))
        let size = drawing.size
        // §7.8: of all masks, the one that scanners read best.
        let masked = (0..<8).map { drawing.masked($0) }.map { ($0, penalty: QRCodePenalty.of($0, size: size)) }
        guard let best = masked.min(by: { $0.penalty < $1.penalty }) else { return nil }
        (self.size, modules) = (size, best.0)
    }
}
