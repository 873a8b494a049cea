// The page on which a match is set up.
import { get } from './dom.js';
import { followForm } from './matchform.js';
import { wordsOf } from './scores.js';

const suggestionCount = 20;

export const begin = (signal) => {
  const form = document.getElementById('match-setup');
  const find = async (text) => {
    // A name with its date of birth comes from the list.
    const words = text.split(' · ')[0];
    const { items } = await get(`/api/v1/players?limit=${suggestionCount}${words ? `&q=${encodeURIComponent(words)}` : ''}`);
    return items;
  };
  followForm(form, wordsOf(form), find, signal);
};
