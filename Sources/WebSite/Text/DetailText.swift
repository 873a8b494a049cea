import HTTPEndpoints
import LibraryDetails
import SiteTexts

/// The texts of the form for what people read about a title or track.
struct DetailText: SiteTextSection {
    static let section = "details"

    let heading, introduction, save, saved, changedMeanwhile, back: String
    let cover, coverText, chooseImage, useImage, removeImage, imageNotUsable, imageTooLarge: String
    /// The labels of the fields.
    let labels: NamedTexts<DetailField>
    /// The values that a field accepts, for one that it does not.
    let refusals: [String: String]

    /// The values that a field accepts.
    func refusal(_ kind: DetailField.Kind) -> String? { refusals["\(kind)"] }
}
