import HTTPEndpoints
import NIOCore
import SiteTexts

/// Renders what open dashboards show once for all that are in the same language: with many channels, that is nearly all
/// the work of a dashboard. It holds nothing of a single operator.
actor DashboardRendering {
    /// A part of the page, as an event.
    struct Event {
        /// Another number for other content.
        var number: Int
        var bytes: ByteBuffer
    }

    private struct Key: Hashable {
        var name: String
        var language: SiteLanguage
    }

    private struct Rendered {
        var at: ContinuousClock.Instant
        var html: String
        var event: Event
    }

    private var rendered: [Key: Rendered] = [:]

    /// The event with a part of the page.
    ///
    /// - Parameters:
    ///   - name: the name of the event.
    ///   - language: the language of the part.
    ///   - lifetime: the time for which what was rendered is shown.
    ///   - render: renders the part.
    func event(
        _ name: String, in language: SiteLanguage, for lifetime: Duration,
        render: @Sendable () async throws -> String
    ) async throws -> Event {
        let (key, now) = (Key(name: name, language: language), ContinuousClock.now)
        if let last = rendered[key], now - last.at < lifetime { return last.event }
        // Those that ask meanwhile get what there is.
        rendered[key]?.at = now
        let html = try await render()
        if let last = rendered[key], last.html == html { return last.event }
        let event = Event(
            number: (rendered[key]?.event.number ?? 0) + 1,
            bytes: ByteBuffer(string: ServerSentEvents.event(name, html)))
        rendered[key] = Rendered(at: now, html: html, event: event)
        return event
    }

    /// Has everything rendered again, because something was done.
    func forget() {
        for key in rendered.keys { rendered[key]?.at = ContinuousClock.now - .seconds(3_600) }
    }
}
