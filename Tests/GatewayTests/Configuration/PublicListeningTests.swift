import Testing

@testable import Gateway
@testable import ServerSettings

struct PublicListeningTests {
    private func configuration(
        _ flags: [ServerSetting: String], _ environment: [String: String] = [:]
    ) throws -> ServerConfiguration {
        try ServerConfiguration(
            flags: flags.merging([.listensPublicly: "true"]) { given, _ in given }, environment: environment,
            wildcardHost: "::")
    }

    @Test func aMachineWithBothFamiliesListensOnBoth() {
        #expect(WildcardHost.host(acceptsBoth: true) == "::")
        #expect(WildcardHost.host(acceptsBoth: false) == "0.0.0.0")
        #expect(["::", "0.0.0.0"].contains(WildcardHost.ofThisMachine()))
    }

    @Test func allListenersWithoutAnAddressListenOnAllAddresses() throws {
        let plain = try configuration([:])
        #expect(plain.isPublic)
        #expect("\(plain.http) \(plain.rtsp)" == "[::]:8080 [::]:8554")
        #expect(plain.wowzaPort == 1935 && plain.https == nil && plain.rtsps == nil)
        let secure = try configuration([.tlsCert: "c", .tlsKey: "k"])
        #expect(secure.https?.description == "[::]:8443")
    }

    @Test func anAddressThatIsGivenStays() throws {
        let given = try configuration([.http: "127.0.0.1:80", .tlsCert: "c", .tlsKey: "k"])
        #expect("\(given.http) \(given.rtsp)" == "127.0.0.1:80 [::]:8554")
        #expect(given.https?.description == "127.0.0.1:8443", "its default is the host of --http")
        let others = try configuration(
            [.rtsps: "192.0.2.1:322", .tlsCert: "c", .tlsKey: "k"], ["ANTENA_RTSP": "[::1]:0"])
        #expect("\(others.http) \(others.rtsp)" == "[::]:8080 [::1]:0")
        #expect(others.rtsps?.description == "192.0.2.1:322")
    }

    @Test func theVariableWorksLikeTheFlag() throws {
        let byVariable = try ServerConfiguration(
            flags: [:], environment: ["ANTENA_PUBLIC": "true"], wildcardHost: "0.0.0.0")
        #expect(byVariable.isPublic && byVariable.http.host == "0.0.0.0")
        let off = try ServerConfiguration(flags: [:], environment: ["ANTENA_PUBLIC": "false"], wildcardHost: "0.0.0.0")
        #expect(off == ServerConfiguration())
        #expect(throws: SettingError.self) {
            _ = try ServerConfiguration(flags: [:], environment: ["ANTENA_PUBLIC": "[::]"], wildcardHost: "::")
        }
    }
}
