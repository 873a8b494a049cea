import HTTPTypes

extension HTTPRequest {
    /// Whether the Connection header contains the option `close` (RFC 9112 §9.6).
    var asksToClose: Bool {
        guard let options = headerFields.first(.connection) else { return false }
        return options.split(separator: ",").contains { $0.filter { $0 != " " && $0 != "\t" }.lowercased() == "close" }
    }
}
