import APIContract
import AsyncHTTPClient
import Foundation
import MediaCore
package import NIOCore
import NIOHTTP1
import OutgoingHTTP
import Workflows

/// Fetches images over HTTPS from public addresses, and from the server that has named them: people choose the address
/// of their picture at many identity providers, and must not reach this server's network by it. No redirects are
/// followed.
package struct HTTPPictureFetcher: PictureFetching {
    let timeLimit: Duration

    /// - Parameter timeLimit: the time for the whole image; its owner waits for it.
    package init(timeLimit: Duration = .seconds(15)) { self.timeLimit = timeLimit }

    package func picture(at address: String, namedBy origin: String, maximumByteCount: Int) async throws -> ByteBuffer {
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
            let host = url.host(percentEncoded: false), !host.isEmpty, url.user == nil, url.password == nil
        else { throw Refusal(description: "the address of the image is not valid") }
        let isOfOrigin = Self.origin(of: url) == URL(string: origin).flatMap(Self.origin)
        guard scheme == "https" || (scheme == "http" && isOfOrigin) else {
            throw Refusal(description: "the address of the image must begin with https://")
        }
        let hosts = CheckedHosts(policy: isOfOrigin ? .anyAddress : .publicAddressesOnly)
        return try await hosts.withClient(for: url, host: host, scheme: scheme, timeLimit: timeLimit) { client in
            var request = HTTPClientRequest(url: address)
            request.headers.add(name: "User-Agent", value: "\(Product.name)/\(Product.version)")
            request.headers.add(name: "Accept", value: ImageBody.types.joined(separator: ", "))
            let exchange = BoundedExchange(timeLimit: timeLimit, maximumByteCount: maximumByteCount)
            let answer = try await exchange.answer(to: request, by: client)
            guard answer.status == .ok else {
                throw Refusal(description: "the image cannot be fetched: HTTP \(answer.status.code)")
            }
            return answer.body
        }
    }

    /// Scheme, host and port (RFC 6454); `nil` for an address without a host.
    private static func origin(of url: URL) -> [String]? {
        guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: false)?.lowercased() else {
            return nil
        }
        return [scheme, host, "\(url.port ?? (scheme == "https" ? 443 : 80))"]
    }

    private struct Refusal: Error, CustomStringConvertible { var description: String }
}
