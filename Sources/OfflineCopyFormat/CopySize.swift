/// Sizes of copies as people read them.
package enum CopySize {
    /// A size such as `1.4 GB`.
    ///
    /// - Parameters:
    ///   - byteCount: the size in bytes.
    ///   - separator: the decimal separator.
    package static func text(_ byteCount: Int64, separator: String = ".") -> String {
        let units = [("GB", 1_000_000_000.0), ("MB", 1_000_000.0), ("kB", 1_000.0)]
        for (unit, factor) in units where Double(byteCount) >= factor {
            let number = "\((Double(byteCount) / factor * 10).rounded() / 10)"
            return "\(number.replacing(".", with: separator)) \(unit)"
        }
        return "\(byteCount) B"
    }
}
