import Foundation
import MediaCore
import NIOCore
import NIOPosix
import OutgoingHTTP

/// The role of a container: Amazon ECS and EKS name the address of its credentials in the environment.
struct ContainerRole: Sendable {
    private let url: String
    private let environment: [String: String]
    private let threads: NIOThreadPool
    private let exchange: BoundedExchange

    /// ECS and EKS.
    private static let knownHosts = ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]
    private static let maximumTokenByteCount: Int64 = 64 << 10

    /// - Parameters:
    ///   - environment: The environment variables. The result is `nil` if they do not name an address.
    ///   - threads: Running threads, on which the token's file is read.
    ///   - exchange: Limits the request and its answer.
    /// - Throws: ``MediaStorageError`` with `noCredentials` if credentials would travel unprotected.
    init?(environment: [String: String], threads: NIOThreadPool, exchange: BoundedExchange) throws {
        self.exchange = exchange
        self.environment = environment
        self.threads = threads
        if let path = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"], !path.isEmpty {
            url = "http://\(Self.knownHosts[0])\(path.hasPrefix("/") ? "" : "/")\(path)"
            return
        }
        guard let url = environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"], !url.isEmpty else { return nil }
        guard let components = URLComponents(string: url), let host = components.percentEncodedHost,
            components.scheme == "https" || components.scheme == "http" && Self.isNear(host)
        else {
            throw MediaStorageError(
                .noCredentials,
                "AWS_CONTAINER_CREDENTIALS_FULL_URI must begin with https://, or with http:// and a loopback address")
        }
        self.url = url
    }

    private static func isNear(_ host: String) -> Bool {
        let isLoopback = host == "localhost" || host == "[::1]" || Self.isLoopbackIPv4(host)
        return isLoopback || knownHosts.contains(host)
    }

    private static func isLoopbackIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8(digits: $0) != nil }
    }

    /// - Throws: ``MediaStorageError`` with `noCredentials`.
    func credentials() async throws -> StoreCredentials {
        var request = RoleRequest(url: url, service: "the service of the container's role", exchange: exchange)
        if let token = try await token() { request.headers = [("Authorization", token)] }
        guard let body = try await request.send() else {
            throw MediaStorageError(.noCredentials, "the container has no role for the object store")
        }
        return try request.credentials(in: body)
    }

    /// Reads the value of the Authorization header, each time again because it changes.
    private func token() async throws -> String? {
        guard let path = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"], !path.isEmpty else {
            return environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"]
        }
        let text = try await threads.blocking {
            let file = try LocalFile(path)
            let count = min(try file.status().byteCount, Self.maximumTokenByteCount)
            return String(buffer: try file.read(at: 0, count: Int(count)))
        }
        return String(text.split(whereSeparator: \.isNewline).first ?? "")
    }
}
