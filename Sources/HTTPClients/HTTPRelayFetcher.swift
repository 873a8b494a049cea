import APIContract
import AsyncHTTPClient
import Foundation
package import NIOCore
import NIOHTTP1
import OutgoingHTTP
import StreamRelays

/// Fetches playlists and segments of streams that operators have configured.
package struct HTTPRelayFetcher: RelayFetching {
    /// Time for a whole file: longer than a segment lasts, it cannot be played in time.
    private static let timeLimit = Duration.seconds(20)
    /// Redirects that are followed: from a name to a host, and to a signed address.
    private static let maximumRedirectionCount = 4

    private let hosts: CheckedHosts

    /// - Parameter hosts: the hosts that streams may come from.
    package init(hosts: CheckedHosts) { self.hosts = hosts }

    private struct Failure: Error, CustomStringConvertible { var description: String }

    package func fetch(
        _ url: String, username: String?, password: String?, maximumByteCount: Int
    ) async throws -> ByteBuffer {
        var address = url
        for _ in 0...Self.maximumRedirectionCount {
            guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
                ["http", "https"].contains(scheme), let host = url.host(percentEncoded: false), !host.isEmpty
            else { throw Failure(description: "an address of the stream is not valid") }
            var request = HTTPClientRequest(url: address)
            request.headers.add(name: "User-Agent", value: "\(Product.name)/\(Product.version)")
            if let username {
                let login = Data("\(username):\(password ?? "")".utf8).base64EncodedString()
                request.headers.add(name: "Authorization", value: "Basic \(login)")
            }
            let exchange = BoundedExchange(timeLimit: Self.timeLimit, maximumByteCount: maximumByteCount)
            let sent = request
            let answer = try await hosts.withClient(
                for: url, host: host, scheme: scheme, timeLimit: Self.timeLimit
            ) { try await exchange.answer(to: sent, by: $0) }
            if (300..<400).contains(answer.status.code), let target = answer.headers.first(name: "Location"),
                let next = URL(string: target, relativeTo: url)?.absoluteString
            {
                address = next
                continue
            }
            guard answer.status == .ok else { throw Failure(description: "HTTP \(answer.status.code)") }
            return answer.body
        }
        throw Failure(description: "it was redirected more than \(Self.maximumRedirectionCount) times")
    }
}
