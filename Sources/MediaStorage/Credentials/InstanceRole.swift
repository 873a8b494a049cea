import MediaCore
import NIOCore
import NIOHTTP1
import OutgoingHTTP

/// The role of an EC2 instance, by version 2 of the instance metadata service: a token first, then the credentials.
struct InstanceRole: Sendable {
    private let endpoint: String
    private let exchange: BoundedExchange

    private static let service = "the instance metadata service"
    private static let path = "/latest/meta-data/iam/security-credentials/"
    private static let tokenLifetime = Duration.seconds(300)
    private static let maximumNameByteCount = 128

    /// - Parameters:
    ///   - environment: The environment variables. The result is `nil` if they disable the service.
    ///   - exchange: Limits each request and its answer.
    init?(environment: [String: String], exchange: BoundedExchange) {
        self.exchange = exchange
        guard environment["AWS_EC2_METADATA_DISABLED"]?.lowercased() != "true" else { return nil }
        let given = environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"].flatMap { $0.isEmpty ? nil : $0 }
        var endpoint = given ?? "http://169.254.169.254"
        while endpoint.hasSuffix("/") { endpoint.removeLast() }
        self.endpoint = endpoint
    }

    /// - Throws: ``MediaStorageError`` with `noCredentials`.
    func credentials() async throws -> StoreCredentials {
        let seconds = "\(Self.tokenLifetime.components.seconds)"
        let tokenRequest = RoleRequest(
            url: "\(endpoint)/latest/api/token", method: .PUT,
            headers: [("X-aws-ec2-metadata-token-ttl-seconds", seconds)], service: Self.service, exchange: exchange)
        guard let body = try await tokenRequest.send() else { throw Self.noRole }
        let token = String(buffer: body)
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw Self.noRole }
        let headers = [(name: "X-aws-ec2-metadata-token", value: token)]

        let nameRequest = RoleRequest(
            url: endpoint + Self.path, headers: headers, service: Self.service, exchange: exchange)
        let names = try await nameRequest.send().map { String(buffer: $0) } ?? ""
        guard let name = names.split(whereSeparator: \.isNewline).first,
            name.utf8.count <= Self.maximumNameByteCount
        else { throw Self.noRole }
        let request = RoleRequest(
            url: endpoint + Self.path + URIEncoding.encoded(String(name)), headers: headers, service: Self.service,
            exchange: exchange)
        guard let answer = try await request.send() else { throw Self.noRole }
        return try request.credentials(in: answer)
    }

    private static let noRole = MediaStorageError(
        .noCredentials,
        """
        this machine has no role for the object store; give it one, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or \
        write them to ~/.aws/credentials
        """)
}
