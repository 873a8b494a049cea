/// The playing time of a title or track as text.
package enum PlayingTime {
    /// Formats seconds as `1:02:03` or `2:03`; empty for a negative time or one that is not a number.
    package static func text(_ seconds: Double) -> String {
        guard let total = Int(exactly: seconds.rounded()), total >= 0 else { return "" }
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = total / 60 % 60
        return total < 3600
            ? "\(minutes):\(padded(total % 60))" : "\(total / 3600):\(padded(minutes)):\(padded(total % 60))"
    }

    /// Formats seconds as `1 h 5 min` or `5 min`; empty for a negative time or one that is not a number.
    package static func rough(_ seconds: Double) -> String {
        guard let total = Int(exactly: (seconds / 60).rounded(.down)), total >= 0 else { return "" }
        return total < 60 ? "\(total) min" : "\(total / 60) h \(total % 60) min"
    }
}
