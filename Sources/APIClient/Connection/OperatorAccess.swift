import APIContract
package import Foundation
package import JSONDocument

/// Finds the operator token of a command, and decides which servers it is sent to.
///
/// An explicit token (`--token-file`, `ANTENA_TOKEN`, `--data`) is sent to the server that the command talks to. The
/// token of the default data folder is sent only to a server on this machine.
package struct OperatorAccess: Sendable {
    private enum Source {
        case named(OperatorToken, origin: String)
        case ofThisMachine(OperatorToken, path: String)
        case none(reason: String)
    }

    private let source: Source

    /// The environment variable that holds a token.
    package static let variable = "ANTENA_TOKEN"

    /// - Parameters:
    ///   - tokenFile: the value of `--token-file`, if any.
    ///   - dataDirectory: the value of `--data`, if any.
    ///   - environment: the environment variables of the process.
    /// - Throws: ``ServerClientError`` if an explicit token cannot be used.
    package init(
        tokenFile: String? = nil, dataDirectory: String? = nil, environment: [String: String]
    ) throws(ServerClientError) {
        if let tokenFile {
            do {
                source = .named(try OperatorToken.read(path: tokenFile), origin: tokenFile)
            } catch {
                throw ServerClientError("--token-file: \(Self.text(error, path: tokenFile))")
            }
        } else if let text = environment[Self.variable], !text.isEmpty {
            guard let token = OperatorToken(parsing: text) else {
                throw ServerClientError(
                    "\(Self.variable) is not an operator token, which has \(OperatorToken.digitCount) hexadecimal digits."
                )
            }
            source = .named(token, origin: Self.variable)
        } else {
            let variable = environment["ANTENA_DATA"].flatMap { $0.isEmpty ? nil : $0 }
            let path = "\(dataDirectory ?? variable ?? "data")/\(OperatorToken.fileName)"
            do {
                let token = try OperatorToken.read(path: path)
                source = dataDirectory == nil ? .ofThisMachine(token, path: path) : .named(token, origin: path)
            } catch {
                source = .none(reason: Self.text(error, path: path))
            }
        }
    }

    private static func text(_ failure: OperatorToken.ReadingFailure, path: String) -> String {
        switch failure {
        case .missing: "There is no file \(path)."
        case .unreadable(let reason):
            "\(path) cannot be read: \(reason). Run the command as the server's user, or with sudo."
        case .damaged: "\(path) does not contain an operator token."
        }
    }

    /// The token to send to a server.
    ///
    /// - Returns: `nil` if there is no token, or none for this server.
    func token(for server: URL) -> OperatorToken? {
        switch source {
        case .named(let token, _): token
        case .ofThisMachine(let token, _): Self.isThisMachine(server) ? token : nil
        case .none: nil
        }
    }

    /// Advice for the user after a server has answered 401, in sentences.
    func advice(for server: URL) -> String {
        let ways =
            "Name the server's data folder with --data DIR, or a copy of its file \(OperatorToken.fileName) with "
            + "--token-file FILE, or put the token into \(Self.variable)."
        switch source {
        case .named(_, let origin): return "The token in \(origin) is not this server's. \(ways)"
        case .ofThisMachine(_, let path):
            return Self.isThisMachine(server)
                ? "The token in \(path) is not this server's. \(ways)"
                : "The token in \(path) was not sent, because the server is on another machine. \(ways)"
        case .none(let reason): return "\(reason) \(ways)"
        }
    }

    private static func isThisMachine(_ server: URL) -> Bool {
        let host = (server.host(percentEncoded: false) ?? "").lowercased().filter { $0 != "[" && $0 != "]" }
        if host == "localhost" || host == "::1" { return true }
        // A host name that begins with "127." may resolve to anything, so it has to be a numeric address.
        var address = in_addr()
        return host.hasPrefix("127.") && inet_pton(AF_INET, host, &address) == 1
    }
}

extension OperatorAccess: ServerAccess {
    package func credential(for server: URL) -> String? { token(for: server)?.text }

    package func explanation(of problem: JSONNode, from base: String, at server: URL) -> String {
        "\(base) needs its operator token. \(advice(for: server))"
    }
}
