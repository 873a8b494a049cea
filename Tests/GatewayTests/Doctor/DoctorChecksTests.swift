import Database
import LibAV
import MediaCore
import TableDocuments
import TestSupport
import Testing

@testable import Doctor
@testable import Gateway
@testable import ServerSettings

/// The conclusions from the facts that each check has found.
struct DoctorChecksTests {
    private static let reserve: Int64 = 256 << 20

    private func expect(
        _ check: some DoctorCheck, _ result: DoctorFinding.Result, _ words: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let finding = check.finding
        #expect(finding.result == result, "\(finding)", sourceLocation: sourceLocation)
        #expect((finding.remedy == nil) == (result == .ok), "\(finding)", sourceLocation: sourceLocation)
        let text = "\(finding.text) \(finding.remedy ?? "")"
        for word in words {
            #expect(text.contains(word), "\(text)", sourceLocation: sourceLocation)
        }
    }

    @Test func configuration() {
        expect(ConfigurationCheck(mistake: nil), .ok)
        expect(ConfigurationCheck(mistake: #"--http "x": has no port"#), .problem, "--http")
    }

    @Test func settingsNameFilesThatAreRead() async throws {
        for setting in [ServerSetting.jwtSecretFile, .paymentSecretFile] {
            let configuration = try ServerConfiguration(flags: [setting: "/nowhere/secret"], environment: [:])
            expect(await ConfigurationCheck.examine(configuration), .problem, "/nowhere/secret")
        }
    }

    @Test func channels() {
        expect(
            ChannelsFileCheck(file: "c.json", content: .valid(channelCount: 1, missingSlates: [])), .ok, "1 channel")
        expect(
            ChannelsFileCheck(file: "c.json", content: .valid(channelCount: 2, missingSlates: ["s.mp4"])), .warning,
            "s.mp4")
        let broken = ChannelsFileCheck(file: "c.json", content: .notValid("c.json:1:2: a\nc.json:3:4: b"))
        expect(broken, .problem, "c.json:1:2: a; c.json:3:4: b", "--channels")
    }

    @Test func mediaFolder() {
        func check(
            _ obstacle: String? = nil, exists: Bool = true, isWritable: Bool = true, free: Int64? = 100 << 30
        ) -> MediaFolderCheck {
            MediaFolderCheck(
                path: "media", obstacle: obstacle, exists: exists, isWritable: isWritable, freeByteCount: free)
        }
        expect(check(), .ok, "100 GiB")
        expect(check(exists: false), .ok, "it is created")
        expect(check("--media \"x\": is a file"), .problem, "is a file")
        expect(check(isWritable: false), .warning, "cannot be written")
        expect(check(free: Self.reserve - 1), .problem, "256 MiB", "refused")
        expect(check(free: Self.reserve), .warning, "256 MiB")
        expect(check(free: nil), .warning, "df -h")
    }

    @Test func dataFolder() {
        func check(
            exists: Bool = true, isWritable: Bool = true, free: Int64? = 5 << 30, server: Int32? = nil
        ) -> DataFolderCheck {
            DataFolderCheck(
                path: "data", exists: exists, isWritable: isWritable, freeByteCount: free, server: server)
        }
        expect(check(), .ok, "5 GiB")
        expect(check(free: (5 << 30) - 1), .warning)
        expect(check(server: 42), .ok, "process 42")
        expect(check(exists: false), .ok, "it is created")
        expect(check(isWritable: false), .problem, "cannot be written", "--data")
        expect(check(exists: false, isWritable: false), .problem, "cannot be created")
    }

    @Test func database() {
        func ready(_ missing: Int = 0, isWritable: Bool = true) -> DatabaseStateCheck {
            DatabaseStateCheck(
                state: .ready(
                    address: "sqlite:c", missingMigrationCount: missing, isWritable: isWritable,
                    hasAdministrator: true))
        }
        expect(DatabaseStateCheck(state: .missing(path: "c")), .ok, "created at the first start")
        expect(ready(), .ok, "this program's version")
        expect(ready(2), .ok, "2 migrations")
        expect(ready(isWritable: false), .problem, "server's user")
        let newer = SQLError(.newerSchema, "the database c was changed by a newer version of Antena")
        expect(DatabaseStateCheck(state: .failed(newer)), .problem, "changed by a newer version", "restore a backup")
        let away = SQLError(.unavailable, "the database postgres://a@h/b does not answer")
        expect(DatabaseStateCheck(state: .failed(away)), .problem, "does not answer", "start the database")
    }

    @Test func administrator() {
        expect(AdministratorCheck(exists: true), .ok)
        expect(AdministratorCheck(exists: false), .problem, "antena user add NAME --role administrator")
        expect(AdministratorCheck(exists: nil), .warning)
        #expect(AdministratorCheck(.missing(path: "c")).exists == false)
        #expect(AdministratorCheck(.failed(SQLError(.damaged, "x"))).exists == nil)
    }

    @Test func ports() {
        func check(_ state: PortState, isRequired: Bool = true, port: Int = 8080, server: Int32? = nil) -> PortCheck {
            PortCheck(
                listener: .init(
                    name: .http, flag: "--http", endpoint: SocketEndpoint(host: "127.0.0.1", port: port),
                    isRequired: isRequired), state: state, server: server)
        }
        let antena = PortOwner(process: 42, program: "antena")
        expect(check(.free), .ok, "127.0.0.1:8080 is free")
        expect(check(.free, port: 0), .ok, "chooses")
        expect(check(.taken(antena), server: 42), .ok, "running server (process 42)")
        expect(check(.taken(antena), server: 43), .problem, "a running Antena with another data folder", "--data")
        expect(check(.taken(antena)), .problem, "process 42")
        expect(check(.taken(PortOwner(process: 7, program: "nginx"))), .problem, "nginx (process 7)", "--http")
        expect(check(.taken(nil)), .problem, "cannot see", "ss -ltnp 'sport = :8080'")
        expect(check(.taken(nil), server: 42), .warning, "probably the running server")
        expect(check(.taken(nil), isRequired: false), .warning, "starts without this listener")
        expect(check(.forbidden), .problem, "CAP_NET_BIND_SERVICE")
        expect(check(.notHere), .problem, "127.0.0.1 is not an address of this machine")
        expect(check(.notLookedUp), .warning, "--http an address")
        expect(check(.failed(errorNumber: 97)), .problem, "family")
    }

    @Test func listenersOfAConfiguration() throws {
        let plain = PortCheck.listeners(of: try ServerConfiguration(flags: [:], environment: [:]))
        #expect(plain.map(\.name) == [.http, .rtsp, .wowza])
        #expect(plain.map(\.isRequired) == [true, true, false])
        let flags: [ServerSetting: String] = [
            .tlsCert: "c", .tlsKey: "k", .rtsps: "[::]:322", .https: "[::]:443", .wowzaPort: "off",
        ]
        let secure = PortCheck.listeners(of: try ServerConfiguration(flags: flags, environment: [:]))
        #expect(secure.map(\.name) == [.http, .rtsp, .https, .rtsps])
    }

    @Test func openFiles() {
        expect(OpenFileCheck(hardLimit: 1 << 20), .ok, "65536")
        expect(OpenFileCheck(hardLimit: 65_536), .ok)
        expect(OpenFileCheck(hardLimit: 4_096), .warning, "only 4096", "LimitNOFILE")
        expect(OpenFileCheck(hardLimit: 256), .problem)
        expect(OpenFileCheck(hardLimit: nil), .warning)
    }

    @Test func clock() {
        expect(ClockCheck(isSynchronised: true), .ok)
        expect(ClockCheck(isSynchronised: false), .warning, "not synchronised", "chrony")
        expect(ClockCheck(isSynchronised: nil), .warning, "does not report")
    }

    @Test func libav() {
        expect(LibAVCheck(version: .success("59.27.100"), missing: []), .ok, "59.27.100")
        let absent = LibAVError(.libraryMissing, file: nil, "libavformat.so.59 is missing")
        expect(LibAVCheck(version: .failure(absent), missing: []), .problem, "libavformat.so.59")
        let (x264, hevc) = (LibAVCheck.codecs[2], LibAVCheck.codecs[4])
        expect(LibAVCheck(version: .success("1"), missing: [x264, hevc]), .problem, "the encoder libx264")
        expect(LibAVCheck(version: .success("1"), missing: [hevc]), .warning, "the decoder hevc")
        expect(LibAVCheck.examine(ladderEncoder: "no-such-encoder"), .problem, "the encoder no-such-encoder")
    }

    @Test func pdf() {
        expect(PDFCheck(version: .success("1.50.12")), .ok, "pango 1.50.12")
        let absent = PDFError(.librariesMissing, "cannot load libpango-1.0.so.0; install it with: apt-get install …")
        expect(PDFCheck(version: .failure(absent)), .warning, "libpango-1.0.so.0", "apt-get install")
    }

    @Test func confinement() {
        expect(ConfinementCheck(missing: []), .ok)
        expect(ConfinementCheck(missing: ["Landlock (…)", "seccomp"]), .warning, "Landlock (…) and seccomp")
    }

    @Test func certificate() {
        let now = WallClockTime(secondsSince1970: 1_700_000_000)
        func check(endsAfter days: Int64) -> CertificateCheck {
            CertificateCheck(state: .expires(now + .seconds(days * 86_400), file: "c.pem"), now: now)
        }
        expect(CertificateCheck(state: .none, now: now), .ok, "off")
        expect(CertificateCheck(state: .unusable("c.pem: no certificate"), now: now), .problem, "--tls-cert")
        expect(check(endsAfter: 14), .ok, "2023-11-28")
        expect(check(endsAfter: 13), .warning, "renew")
        expect(check(endsAfter: 0), .problem, "expired")
    }

    /// The keys of the first docs/edge/nginx.conf, and others that people have written.
    @Test(arguments: [
        "proxy_cache_key \"$uri|$arg__HLS_msn|$arg__HLS_part|$antena_encoding\";",
        "proxy_cache_key \"signed|$antena_media|$arg__HLS_msn|$antena_encoding\";",
        "proxy_cache_key $scheme$proxy_host$uri$is_args$args;",
        "auth_request_set $other $upstream_http_x_antena_media;\n  proxy_cache_key ${antena_media}x;",
        "# auth_request_set $antena_media $upstream_http_x_antena_media;\nproxy_cache_key '$antena_media';",
    ]) func edgesThatReadAddressesThemselves(_ line: String) {
        let content = EdgeConfigurationCheck.content("location / { proxy_cache antena; \(line) }")
        expect(EdgeConfigurationCheck(file: "edge.conf", content: content), .problem, "edge.conf", "proxy_cache_path")
    }

    @Test(arguments: [
        "location / { proxy_pass http://antena; }", "proxy_cache off; proxy_cache_key $uri;", "proxy_cache antena;",
        "proxy_cache antena; proxy_cache_key \"image|$request_uri\";",
        """
        location / { auth_request /a; auth_request_set $name $upstream_http_x_antena_media;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_cache antena; proxy_cache_key "${name}|$antena_encoding"; }
        """,
    ]) func edgesThatAskAntena(_ text: String) {
        expect(EdgeConfigurationCheck(file: "edge.conf", content: EdgeConfigurationCheck.content(text)), .ok)
    }

    @Test func edgesThatHideTheirClients() {
        let content = EdgeConfigurationCheck.content("auth_request /a; proxy_cache antena;")
        expect(EdgeConfigurationCheck(file: "edge.conf", content: content), .warning, "edge.conf", "--trusted-proxy")
    }

    @Test func theDocumentedEdgeIsAsItShouldBe() {
        expect(EdgeConfigurationCheck.examine("\(Repository.path)/docs/edge/nginx.conf"), .ok, "under the keys")
        expect(EdgeConfigurationCheck.examine("/nowhere/edge.conf"), .problem, "/nowhere/edge.conf", "No such file")
        expect(EdgeConfigurationCheck.examine("/"), .problem)
    }
}
