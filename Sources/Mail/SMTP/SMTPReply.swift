/// A complete reply of a mail server (RFC 5321 §4.2).
struct SMTPReply: Sendable, Hashable {
    /// 200 to 599.
    let code: Int
    /// The texts of its lines without the code.
    let lines: [String]

    /// The first digit: 2 for success, 3 for "go on", 4 for "not now", 5 for "never".
    var category: Int { code / 100 }

    /// The code, with the enhanced status code if the text begins with one (RFC 2034 §4), and nothing else of the text.
    var status: String {
        let word = lines.first?.prefix { $0 != " " } ?? ""
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "\(category)",
            parts.dropFirst().allSatisfy({ (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isDigit) })
        else { return "\(code)" }
        return "\(code) \(word)"
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
