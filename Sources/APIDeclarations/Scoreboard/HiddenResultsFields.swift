package import APIContract

/// Whether a member is told results before they have watched the match.
package struct HiddenResultsFields: ObjectFields {
    package static let name = "HiddenResults"
    package static let fields = HiddenResultsFields()

    package let hidden = Field<Bool>(
        "hidden", "whether results of matches that the member has not watched are left out")

    package init() {}
}
