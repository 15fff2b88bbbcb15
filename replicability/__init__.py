"""On how many datasets, and on which, is system A better than system B?"""
