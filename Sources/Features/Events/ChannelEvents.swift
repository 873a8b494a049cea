package import Events
import JSONDocument
package import LiveChannels

/// Notes what happens to channels in the journal.
package enum ChannelEvents {
    package static func observer(_ journal: EventJournal) -> LiveChannelEvent.Observer {
        { event in journal.note(newEvent(event)) }
    }

    /// Thousandths are enough for people and programs.
    private static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }

    private static func newEvent(_ event: LiveChannelEvent) -> NewEvent {
        let subject = EventSubject(.channel, event.channel)
        return switch event.kind {
        case .up(let codecs):
            NewEvent(.channelUp, subject, at: event.happenedAt, [("codecs", .array(codecs.map(JSONText.string)))])
        case .down(let reason, let isIntended):
            NewEvent(
                .channelDown, subject, at: event.happenedAt,
                [("reason", .string(reason)), ("intended", .boolean(isIntended))])
        case .quality(let problems, let loss):
            NewEvent(
                .channelQuality, subject, at: event.happenedAt,
                [
                    ("quality", .string(problems.isEmpty ? "good" : "bad")),
                    ("problems", .array(problems.map { .string($0.rawValue) })), ("loss", .number(rounded(loss))),
                ])
        case .gap(let cause, let count, let seconds):
            NewEvent(
                .channelGap, subject, at: event.happenedAt,
                [
                    ("cause", .string(cause.rawValue)), ("count", .integer(count)),
                    ("seconds", .number(rounded(seconds))),
                ])
        case .rung(let name, let state):
            NewEvent(
                .channelLadder, subject, at: event.happenedAt,
                [("preset", .string(name)), ("state", .string(state.rawValue))])
        case .recordingStarted(let file):
            NewEvent(.recordingStarted, subject, at: event.happenedAt, [("file", .string(file))])
        case .recordingFinished(let file):
            NewEvent(.recordingFinished, subject, at: event.happenedAt, [("file", .string(file))])
        }
    }
}
