/// The extensions that a server offers in its answer to EHLO (RFC 5321 §4.1.1.1).
struct SMTPCapabilities: Sendable, Hashable {
    var offersStartTLS = false
    var offersUTF8 = false
    var offersEightBit = false
    var offersSize = false
    /// The largest mail in bytes; `nil` if the server names none.
    var maximumByteCount: Int?
    /// The names of the mechanisms in upper case.
    var mechanisms: Set<String> = []

    init() {}

    init(_ reply: SMTPReply) {
        // The first line has the server's name.
        for line in reply.lines.dropFirst() {
            // "AUTH=LOGIN" is what some old servers write.
            let words = line.uppercased().split { $0 == " " || $0 == "=" }
            switch words.first {
            case "STARTTLS": offersStartTLS = true
            case "SMTPUTF8": offersUTF8 = true
            case "8BITMIME": offersEightBit = true
            case "SIZE":
                offersSize = true
                // 0 means that there is no limit (RFC 1870 §3).
                maximumByteCount = words.dropFirst().first.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
            case "AUTH": mechanisms.formUnion(words.dropFirst().map(String.init))
            default: break
            }
        }
    }
}
