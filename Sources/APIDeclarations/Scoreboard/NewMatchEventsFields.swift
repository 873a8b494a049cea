package import APIContract
package import JSONDocument

/// The fields of events that are sent.
package struct NewMatchEventsFields: ObjectFields {
    package static let name = "NewMatchEvents"
    package static let isClosed = true
    package static let fields = NewMatchEventsFields()

    package let expected = Field<Int?>(
        "expected",
        "number of the last entry that you know; if the match has others, nothing is added (409, with the entries). Null or missing adds the events whatever came before",
        .optional, .minimum(0))
    package let keepConflicts = Field<Bool?>(
        "keepConflicts",
        "whether an event that is not possible any more is kept as a conflict, instead of refusing all: for a match that was kept without a network",
        .optional)
    package let events = Field<[JSONText]>(
        "events",
        "events, in order, with a `type` and what it needs: start; point, correct (side, count); changeServer; setServer (side, player); timeOut (side); endTimeOut; appeal (side, outcome: used, upheld, rejected); card (side, card, player); injury (side, player); freeze; unfreeze; undo; amend (sequence, or `of` with the ID of an event; event); setState (finished, points, games); nextGame; endPeriod; startClock; stopClock; setClock (seconds); note (text); walkover (side); abandon. Each may have an `id` of your own, so that it counts once however often it is sent, and the `time` at which it happened",
        .minimumCount(1), .maximumCount(1_000),
        .example(.array([.object([("type", .string("point")), ("side", .string("a"))])])))

    package init() {}
}
