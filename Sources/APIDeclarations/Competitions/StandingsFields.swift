package import APIContract

/// The fields of the standings of a competition: a table of texts.
package struct StandingsFields: ObjectFields {
    package static let name = "Standings"
    package static let isClosed = true
    package static let fields = StandingsFields()

    package let header = Field<[String]>(
        "header", "names of the columns", .maximumCount(50), .each(.maximumLength(200)))
    package let rows = Field<[[String]]>(
        "rows", "cells of each row, in the order of the columns; no more than there are columns", .maximumCount(500),
        .each(.maximumCount(50), .each(.maximumLength(200))))

    package init() {}
}
