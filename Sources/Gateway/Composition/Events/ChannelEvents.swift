import Events
import JSONDocument
import LiveChannels

/// Notes what happens to channels in the journal.
enum ChannelEvents {
    static func observer(_ journal: EventJournal) -> LiveChannelEvent.Observer {
        { event in journal.note(newEvent(event)) }
    }

    private static func newEvent(_ event: LiveChannelEvent) -> NewEvent {
        let subject = EventSubject(.channel, event.channel)
        return switch event.kind {
        case .up(let codecs):
            NewEvent(.channelUp, subject, at: event.happenedAt, [("codecs", .array(codecs.map(JSONText.string)))])
        case .down(let reason, let isIntended):
            NewEvent(
                .channelDown, subject, at: event.happenedAt,
                [("reason", .string(reason)), ("intended", .boolean(isIntended))])
        case .recordingStarted(let file):
            NewEvent(.recordingStarted, subject, at: event.happenedAt, [("file", .string(file))])
        case .recordingFinished(let file):
            NewEvent(.recordingFinished, subject, at: event.happenedAt, [("file", .string(file))])
        }
    }
}
