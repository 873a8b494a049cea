package import APIContract

/// The fields of a day of a competition.
package struct CompetitionDayFields: ObjectFields {
    package static let name = "CompetitionDay"
    package static let fields = CompetitionDayFields()

    package let number = Field<Int>("number", "number of the day in the competition, from 1", .minimum(1))
    package let date = Field<String>("date", "date of the day in the time zone", .format("date"))
    package let startsAt = Field<APITime>("startsAt", "beginning of the date in the time zone")
    package let endsAt = Field<APITime>("endsAt", "beginning of the next date")
    package let state = Field<CompetitionStateName>("state", "state of the day")

    package init() {}
}
