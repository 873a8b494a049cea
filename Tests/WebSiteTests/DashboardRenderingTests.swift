import GatewayTestSupport
import NIOCore
import SiteTexts
import Synchronization
import Testing

@testable import WebSite

/// What all dashboards show is rendered once.
struct DashboardRenderingTests {
    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    private let rendering = DashboardRendering()
    private let counter = Counter()

    private func event(
        _ html: String, _ language: SiteLanguage = .english, for lifetime: Duration = .seconds(3_600)
    ) async throws -> (number: Int, text: String) {
        let event = try await rendering.event("state", in: language, for: lifetime) { [counter] in
            counter.count.withLock { $0 += 1 }
            return html
        }
        return (event.number, String(buffer: event.bytes))
    }

    @Test func everyLineIsALineOfTheEvent() async throws {
        #expect(try await event("<p>\n</p>").text == "event: state\ndata: <p>\ndata: </p>\n\n")
    }

    @Test func dashboardsOfALanguageShareWhatIsRendered() async throws {
        let first = try await event("one")
        #expect(try await event("two") == first && counter.count.withLock { $0 } == 1)
        let other = try await event("uno", .spanish)
        #expect(other.text.contains("uno") && counter.count.withLock { $0 } == 2)
        await rendering.forget()
        let changed = try await event("two")
        #expect(changed.number != first.number && changed.text.contains("two"))
        #expect(try await event("two", for: .zero).number == changed.number, "nothing new, so nothing to send")
    }

    @Test func aFailureIsNotKept() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            _ = try await rendering.event("state", in: .english, for: .seconds(3_600)) { throw Failure() }
        }
        #expect(try await event("one").text.contains("one"))
    }
}
