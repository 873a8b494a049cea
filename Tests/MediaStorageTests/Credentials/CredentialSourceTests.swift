import MediaCore
import NIOHTTP1
import NIOPosix
import TestSupport
import Testing

@testable import MediaStorage

struct CredentialSourceTests {
    private func source(_ environment: [String: String], clock: TestClock = TestClock()) -> CredentialSource {
        CredentialSource(environment: environment, threads: .singleton, wallClock: clock.wallClock)
    }

    /// Credentials can be found neither in files nor at a role.
    private static let nowhere = ["AWS_EC2_METADATA_DISABLED": "true"]

    private func failure(_ environment: [String: String]) async throws -> String {
        let source = source(Self.nowhere.merging(environment) { $1 })
        let error = await #expect(throws: MediaStorageError.self) { try await source.credentials() }
        #expect(error?.code == .noCredentials)
        #expect(error?.description.contains("top-secret") == false)
        return error?.reason ?? ""
    }

    // MARK: Environment and file

    @Test func theEnvironmentComesFirst() async throws {
        let folder = try TemporaryDirectory(label: "credentials")
        let file = try folder.write("[default]\naws_access_key_id=file\naws_secret_access_key=x\n", to: "credentials")
        let environment = [
            "AWS_ACCESS_KEY_ID": "env", "AWS_SECRET_ACCESS_KEY": "top-secret", "AWS_SESSION_TOKEN": "token",
            "AWS_SHARED_CREDENTIALS_FILE": file,
        ]
        let expected = StoreCredentials(accessKeyID: "env", secretAccessKey: "top-secret", sessionToken: "token")
        #expect(try await source(environment).credentials() == expected)
        #expect(
            try await failure(["AWS_ACCESS_KEY_ID": "env"]).contains("AWS_SECRET_ACCESS_KEY is not"))
        #expect(
            try await failure(["AWS_SECRET_ACCESS_KEY": "top-secret"]).contains("AWS_ACCESS_KEY_ID is not"))
    }

    @Test func readsTheProfileOfTheSharedFile() async throws {
        let folder = try TemporaryDirectory(label: "credentials")
        try folder.write(
            """
            # comment = x
            [default]
            aws_access_key_id = first
            aws_secret_access_key = top-secret

            [ backup ]
            ; comment
            AWS_ACCESS_KEY_ID=second
            aws_secret_access_key =  with=equals+slash/
            aws_session_token = token
            region = eu-west-1
            """, to: ".aws/credentials")
        let home = ["HOME": folder.path]
        #expect(try await source(home).credentials().accessKeyID == "first")
        let second = try await source(home.merging(["AWS_PROFILE": "backup"]) { $1 }).credentials()
        #expect(
            second
                == StoreCredentials(
                    accessKeyID: "second", secretAccessKey: "with=equals+slash/", sessionToken: "token"))
        #expect(try await failure(home.merging(["AWS_PROFILE": "other"]) { $1 }).contains("no profile `other`"))
    }

    @Test func saysWhatIsWrongWithTheSharedFile() async throws {
        let folder = try TemporaryDirectory(label: "credentials")
        let file = try folder.write("[default]\naws_access_key_id = first\n", to: "credentials")
        #expect(try await failure(["AWS_SHARED_CREDENTIALS_FILE": file]).contains("lacks `aws_access_key_id` or"))
        let missing = "\(folder.path)/missing"
        #expect(try await failure(["AWS_SHARED_CREDENTIALS_FILE": missing]).contains("No such file"))
        // Nobody asked for the file in the home folder.
        #expect(try await failure(["HOME": folder.path]).contains("there are no credentials"))
    }

    @Test func readsTheFileAgainAfterAWhile() async throws {
        let folder = try TemporaryDirectory(label: "credentials")
        func write(_ id: String) throws -> String {
            try folder.write("[default]\naws_access_key_id=\(id)\naws_secret_access_key=s\n", to: "credentials")
        }
        let clock = TestClock()
        let source = source(["AWS_SHARED_CREDENTIALS_FILE": try write("old")], clock: clock)
        #expect(try await source.credentials().accessKeyID == "old")
        _ = try write("new")
        #expect(try await source.credentials().accessKeyID == "old")
        clock.advance(by: .seconds(301))
        #expect(try await source.credentials().accessKeyID == "new")
        // A file that is gone for a moment does no harm.
        clock.advance(by: .seconds(301))
        try LocalFile.remove("\(folder.path)/credentials")
        #expect(try await source.credentials().accessKeyID == "new")
    }

    // MARK: Roles

    /// The time at which ``TestClock`` starts, and an hour later.
    private static let expirations = ["2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z"]

    private static func role(_ number: Int, expiration: String) -> ScriptedServer.Answer {
        .xml(
            """
            {"Code": "Success", "Type": "AWS-HMAC", "AccessKeyId": "role-\(number)", "SecretAccessKey": "top-secret",
             "Token": "token-\(number)", "Expiration": "\(expiration)"}
            """)
    }

    @Test func getsTheRoleOfTheMachineWithAToken() async throws {
        let server = try await ScriptedServer { request, number in
            switch request.text {
            case "PUT /latest/api/token": .xml("metadata-token")
            case "GET /latest/meta-data/iam/security-credentials/": .xml("media-role\n")
            case "GET /latest/meta-data/iam/security-credentials/media-role":
                Self.role(number, expiration: Self.expirations[number > 3 ? 1 : 0])
            default: ScriptedServer.Answer(status: 404)
            }
        }
        let clock = TestClock()
        let source = source(
            ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:\(server.port)/"], clock: clock)
        let first = try await source.credentials()
        #expect(first.accessKeyID == "role-3" && first.sessionToken == "token-3")
        #expect(first.expiration.map { $0 - clock.time } == .seconds(3_600))
        let headers = server.requests.map(\.headers)
        #expect(headers[0].first(name: "X-aws-ec2-metadata-token-ttl-seconds") == "300")
        #expect(headers[1].first(name: "X-aws-ec2-metadata-token") == "metadata-token")
        #expect(headers[2].first(name: "X-aws-ec2-metadata-token") == "metadata-token")

        clock.advance(by: .seconds(3_200))
        #expect(try await source.credentials() == first)
        #expect(server.requests.count == 3)
        // Before they expire.
        clock.advance(by: .seconds(120))
        #expect(try await source.credentials().accessKeyID == "role-6")
        try await server.shutDown()
    }

    @Test func refreshesOnceForAllCallsAndKeepsWhatStillWorks() async throws {
        let server = try await ScriptedServer { _, number in
            number == 1 ? Self.role(1, expiration: Self.expirations[0]) : ScriptedServer.Answer(status: 500)
        }
        let clock = TestClock()
        let source = source(
            ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:\(server.port)/role"], clock: clock)
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await source.credentials().accessKeyID } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names == ["role-1"])
        #expect(server.requests.count == 1)
        // The service fails, but the credentials have not expired.
        clock.advance(by: .seconds(3_400))
        #expect(try await source.credentials().accessKeyID == "role-1")
        #expect(try await source.credentials().accessKeyID == "role-1")
        #expect(server.requests.count == 2)
        clock.advance(by: .seconds(300))
        let error = await #expect(throws: MediaStorageError.self) { try await source.credentials() }
        #expect(error?.code == .noCredentials && error?.reason.contains("answers with status 500") == true)
        try await server.shutDown()
    }

    @Test func sendsTheTokenOfTheContainerOnlyToNearbyAddresses() async throws {
        let folder = try TemporaryDirectory(label: "credentials")
        let token = try folder.write("container-token\n", to: "token")
        let server = try await ScriptedServer { _, _ in Self.role(1, expiration: Self.expirations[0]) }
        let source = source([
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:\(server.port)/role",
            "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": token,
        ])
        #expect(try await source.credentials().accessKeyID == "role-1")
        #expect(server.requests.first?.headers.first(name: "Authorization") == "container-token")
        for url in ["http://192.0.2.1/role", "http://127.evil.example/role", "ftp://127.0.0.1/role", "role"] {
            #expect(
                try await failure(["AWS_CONTAINER_CREDENTIALS_FULL_URI": url]).contains("must begin with https://"))
        }
        try await server.shutDown()
    }

    @Test func aMachineWithoutARoleHasNoCredentials() async throws {
        let server = try await ScriptedServer { _, _ in ScriptedServer.Answer(status: 404) }
        let source = source(["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:\(server.port)"])
        let error = await #expect(throws: MediaStorageError.self) { try await source.credentials() }
        #expect(error?.code == .noCredentials && error?.reason.contains("has no role") == true)
        try await server.shutDown()
    }
}
