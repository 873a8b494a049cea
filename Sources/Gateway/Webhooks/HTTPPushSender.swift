import APIContract
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Notifications

/// Sends messages to push services over HTTPS, and over HTTP if the operator allows private addresses. The address is
/// the choice of a browser, so it follows no redirects, and connects to addresses that imports may connect to, and only
/// to public ones for the browsers of members who may not import.
struct HTTPPushSender: PushSending {
    let hosts: CheckedHosts

    func send(_ request: PushRequest) async -> Int? {
        var hosts = hosts
        if !request.mayReachPrivateAddresses { hosts.policy = .publicAddressesOnly }
        guard let url = URL(string: request.endpoint), let scheme = url.scheme?.lowercased(),
            scheme == "https" || (scheme == "http" && hosts.allowsPrivateAddresses),
            let host = url.host(percentEncoded: false), !host.isEmpty
        else { return nil }
        let limit = TimeAmount(PushRequest.timeLimit)
        guard
            let client = try? await hosts.client(
                for: url, host: host, scheme: scheme, timeout: .init(connect: limit, read: limit))
        else { return nil }
        let status = try? await status(request, client, limit)
        try? await client.shutdown()
        return status
    }

    private func status(_ request: PushRequest, _ client: HTTPClient, _ limit: TimeAmount) async throws -> Int {
        var message = HTTPClientRequest(url: request.endpoint)
        message.method = .POST
        message.headers.add(name: "User-Agent", value: "\(Product.name)/\(Product.version)")
        for field in request.fields { message.headers.add(name: field.name, value: field.value) }
        message.body = .bytes(ByteBuffer(bytes: request.body))
        let response = try await client.execute(message, timeout: limit)
        _ = try? await response.body.collect(upTo: PushRequest.maximumResponseByteCount)
        return Int(response.status.code)
    }
}
