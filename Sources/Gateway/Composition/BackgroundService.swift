import Database
import ServiceLifecycle

/// A service whose calls of the database wait while it does not answer; see `PatientDatabase`.
struct BackgroundService: Service {
    let service: any Service

    func run() async throws {
        try await PatientDatabase.$waitsForAnswer.withValue(true) { try await service.run() }
    }
}
