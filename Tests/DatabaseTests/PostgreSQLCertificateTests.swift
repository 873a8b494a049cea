import Database
import DatabaseTestSupport
import TestSupport
import Testing

/// TLS between Antena and PostgreSQL, as `sslmode=verify-full` asks for it.
struct PostgreSQLCertificateTests {
    private let folder: TemporaryDirectory
    private let certificate: TestCertificate
    private let server: PostgreSQLTestServer

    init() async throws {
        folder = try TemporaryDirectory(label: "certificate")
        certificate = try await TestCertificate(in: folder)
        server = try await PostgreSQLTestServer(certificate: certificate)
    }

    @Test func aServerIsTrustedByItsCertificateAndItsNameOnly() async throws {
        let address = server.url(host: "localhost", authority: certificate.certificatePath)
        let database = try await DatabaseAddress(parsing: address).open()
        #expect(
            try await database.read { db in
                try db.exists("SELECT 1 FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl")
            })
        await database.close()

        let stranger = try await TestCertificate(in: folder, name: "stranger")
        let refused = [
            (server.url(host: "localhost", authority: stranger.certificatePath), "certificate verify failed"),
            (server.url(host: "db.example.org", authority: certificate.certificatePath), "does not match host name"),
        ]
        for (address, reason) in refused {
            let error = await #expect(throws: SQLError.self) { try await DatabaseAddress(parsing: address).open() }
            #expect(error?.reason.contains("the certificate of the database postgres://antena@") == true)
            #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
            #expect(error?.reason.contains("Name the certificate of its authority with sslrootcert") == true)
        }
    }
}
