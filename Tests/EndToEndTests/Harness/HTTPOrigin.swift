/// A web server in a test: Antena, or a proxy in front of it.
struct HTTPOrigin: Sendable {
    var port: Int

    var origin: String { "http://127.0.0.1:\(port)" }

    func request(
        _ path: String, method: String = "GET", headers: [String: String] = [:], body: String = ""
    ) async throws -> WebReply {
        try await request(path, method: method, headers: headers, bytes: Array(body.utf8))
    }

    func request(
        _ path: String, method: String, headers: [String: String] = [:], bytes body: [UInt8]
    ) async throws -> WebReply {
        let host = headers["Host"] == nil ? "Host: 127.0.0.1:\(port)\r\n" : ""
        let fields = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        let length = body.isEmpty ? "" : "Content-Length: \(body.count)\r\n"
        let head = "\(method) \(path) HTTP/1.1\r\n\(host)Connection: close\r\n\(fields)\(length)\r\n"
        return try await offCooperativePool {
            let connection = try TCPConnection(port: port)
            try connection.send(Array(head.utf8) + body)
            let head = try connection.read(until: "\r\n\r\n")
            return try WebReply(head: head, body: method == "HEAD" ? [] : connection.readToEnd())
        }
    }
}
