import Logging
import Testing

@testable import Gateway

struct ServerConfigurationTests {
    @Test func defaultsAreLoopback() throws {
        let configuration = try ServerConfiguration(flags: .init(), environment: [:])
        #expect(configuration == ServerConfiguration())
        #expect("\(configuration.http) \(configuration.rtsp)" == "127.0.0.1:8080 127.0.0.1:8554")
    }

    @Test func flagWinsOverEnvironmentAndEnvironmentOverDefault() throws {
        let environment = [
            "ANTENA_HTTP": "0.0.0.0:80", "ANTENA_RTSP": "[::1]:0", "ANTENA_LOG_LEVEL": "Debug", "ANTENA_DATA": "",
            "ANTENA_PRINT_PORTS": "true",
        ]
        let configuration = try ServerConfiguration(flags: .init(http: "localhost:1"), environment: environment)
        #expect(configuration.http == SocketEndpoint(host: "localhost", port: 1))
        #expect(configuration.rtsp == SocketEndpoint(host: "::1", port: 0))
        #expect("\(configuration.rtsp)" == "[::1]:0")
        #expect(configuration.logLevel == .debug)
        #expect(configuration.dataDirectory == "data")
        #expect(configuration.printsPorts)
    }

    @Test(arguments: [
        "", "8080", ":8080", "host:", "host:x", "host:65536", "host:-1", "::1:80", "a b:1", "h:99999999999999999999",
    ])
    func refusesWhatIsNoEndpoint(_ text: String) {
        #expect {
            _ = try ServerConfiguration(flags: .init(http: text), environment: [:])
        } throws: { error in
            "\(error)".hasPrefix("--http \"\(text)\": ")
        }
    }

    @Test func namesTheVariableThatIsWrong() {
        #expect {
            _ = try ServerConfiguration(flags: .init(), environment: ["ANTENA_LOG_LEVEL": "loud"])
        } throws: { error in
            "\(error)" == "ANTENA_LOG_LEVEL \"loud\": allowed are trace, debug, info, notice, warning, error, critical"
        }
        #expect(throws: SettingError.self) {
            _ = try ServerConfiguration(flags: .init(), environment: ["ANTENA_PRINT_PORTS": "maybe"])
        }
    }
}
