import APIContract
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
package import Notifications
import OutgoingHTTP

/// Sends messages to push services over HTTPS, and over HTTP if the operator allows private addresses. The address is
/// the choice of a browser, so it follows no redirects, and connects to addresses that imports may connect to, and only
/// to public ones for the browsers of members who may not import.
package struct HTTPPushSender: PushSending {
    package let hosts: CheckedHosts

    /// - Parameter hosts: the hosts that messages may go to.
    package init(hosts: CheckedHosts) { self.hosts = hosts }

    package func send(_ request: PushRequest) async -> Int? {
        let hosts = hosts(for: request)
        guard let url = URL(string: request.endpoint), let scheme = url.scheme?.lowercased(),
            scheme == "https" || (scheme == "http" && hosts.allowsPrivateAddresses),
            let host = url.host(percentEncoded: false), !host.isEmpty
        else { return nil }
        let status = try? await BoundedExchange.within(Self.exchange.timeLimit) {
            let limit = TimeAmount(Self.exchange.timeLimit)
            let client = try await hosts.client(
                for: url, host: host, scheme: scheme, timeout: .init(connect: limit, read: limit))
            let status = try? await Self.exchange.status(of: Self.message(request), by: client)
            try? await client.shutdown()
            return status
        }
        return status ?? nil
    }

    /// The addresses that a message may go to.
    private func hosts(for request: PushRequest) -> CheckedHosts {
        var hosts = hosts
        if !request.mayReachPrivateAddresses { hosts.policy = .publicAddressesOnly }
        return hosts
    }

    /// The body of an answer says nothing that is needed, so that it is not waited for.
    private static let exchange = BoundedExchange(timeLimit: PushRequest.timeLimit, maximumByteCount: 0)

    private static func message(_ request: PushRequest) -> HTTPClientRequest {
        var message = HTTPClientRequest(url: request.endpoint)
        message.method = .POST
        message.headers.add(name: "User-Agent", value: "\(Product.name)/\(Product.version)")
        for field in request.fields { message.headers.add(name: field.name, value: field.value) }
        message.body = .bytes(ByteBuffer(bytes: request.body))
        return message
    }
}
