import Logging
import MediaCore
import NIOCore
import NIOPosix

@testable import MediaStorage

/// Object stores for tests.
enum TestStore {
    static let environment = ["AWS_ACCESS_KEY_ID": "test-key", "AWS_SECRET_ACCESS_KEY": "top-secret"]

    /// The environment that `Tests/Support/swift-server.py` expects.
    static let swiftEnvironment = ["AWS_ACCESS_KEY_ID": "test:tester", "AWS_SECRET_ACCESS_KEY": "test-secret"]

    /// Settings that do not let a test wait.
    static var quickSettings: ObjectStoreSettings {
        var settings = ObjectStoreSettings()
        settings.connectTimeout = .seconds(1)
        settings.readTimeout = .milliseconds(400)
        settings.retries.schedule.firstDelay = .milliseconds(4)
        settings.retries.schedule.maximumDelay = .milliseconds(20)
        settings.retries.schedule.maximumRequestedDelay = .milliseconds(100)
        settings.readRetries = settings.retries
        return settings
    }

    /// Settings that give up soon.
    static var impatientSettings: ObjectStoreSettings {
        var settings = quickSettings
        settings.readTimeout = .milliseconds(200)
        settings.retries.maximumTryCount = 2
        settings.readRetries.maximumTryCount = 2
        return settings
    }

    /// Gives a store of the server at a port to a test, and shuts it down.
    @discardableResult static func with<Value>(
        port: Int, settings: ObjectStoreSettings = quickSettings, environment: [String: String] = environment,
        prefix: String = "", wallClock: WallClock = .system, _ test: (ObjectStore) async throws -> Value
    ) async throws -> Value {
        let store = ObjectStore(
            address: try ObjectStoreAddress(
                parsing: "s3://media/\(prefix)?endpoint=http://127.0.0.1:\(port)&region=us-east-1", environment: [:]),
            credentials: CredentialSource(
                environment: environment, threads: .singleton, wallClock: wallClock), threads: .singleton,
            settings: settings, wallClock: wallClock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        do {
            let value = try await test(store)
            await store.shutDown()
            return value
        } catch {
            await store.shutDown()
            throw error
        }
    }
}

extension MediaStore {
    /// Reads a range into memory.
    func bytes(
        _ key: String, _ range: Range<Int64>, version: String? = nil
    ) async throws -> [UInt8] {
        var result: [UInt8] = []
        try await read(key, range: range, version: version) { result += $0.readableBytesView }
        return result
    }
}
