package import APIContract

/// The fields of the clock of a period.
package struct BoardClockFields: ObjectFields {
    package static let name = "BoardClock"
    package static let fields = BoardClockFields()

    package let playedMilliseconds = Field<Int>(
        "playedMilliseconds", "time that had been played when the clock was last started or stopped")
    package let runningSince = Field<APITime?>("runningSince", "time since which it runs; null while it stands")
    package let periodSeconds = Field<Int>("periodSeconds", "length of the period")
    package let countsDown = Field<Bool>("countsDown", "whether the time that is left is shown")

    package init() {}
}
